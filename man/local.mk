# man: manual pages; dist_man_MANS.
dist_man_MANS += %D%/gmon.out.5
dist_man_MANS += %D%/profrun.1
dist_man_MANS += %D%/gmon.syms.5

dist_man_MANS += \
	%D%/prf_monitor.3 \
	%D%/prf_pcsample.3 \
	%D%/prf_profil.3 \
	%D%/prf_profil_state.3 \
	%D%/prf_sprofil.3
