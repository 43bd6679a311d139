# man: manual pages; dist_man_MANS.
dist_man_MANS += %D%/gmon.out.5
dist_man_MANS += %D%/profrun.1
dist_man_MANS += %D%/gmon.syms.5
dist_man_MANS += %D%/pctrace.5
