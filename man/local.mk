# man: manual pages; dist_man_MANS.
