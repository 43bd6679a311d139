# man: manual pages; dist_man_MANS.
dist_man_MANS += %D%/profrun.1
