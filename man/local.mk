# man: manual pages; dist_man_MANS.
dist_man_MANS += %D%/gmon.out.5
dist_man_MANS += %D%/profrun.1
dist_man_MANS += %D%/profrun-annotate.1
dist_man_MANS += %D%/profrun-check.1
dist_man_MANS += %D%/profrun-export.1
dist_man_MANS += %D%/profrun-diff.1
dist_man_MANS += %D%/profrun-dump.1
dist_man_MANS += %D%/profrun-merge.1
dist_man_MANS += %D%/profrun-report.1
dist_man_MANS += %D%/profrun-top.1
dist_man_MANS += %D%/profrun-internals.7
dist_man_MANS += %D%/gmon.syms.5
dist_man_MANS += %D%/pctrace.5

dist_man_MANS += \
	%D%/libprofrun.3 \
	%D%/prf_counter_add.3 \
	%D%/prf_dialect.3 \
	%D%/prf_error.3 \
	%D%/prf_gmon_read.3 \
	%D%/prf_gmon_writer.3 \
	%D%/prf_hist.3 \
	%D%/prf_monitor.3 \
	%D%/prf_pcsample.3 \
	%D%/prf_pcsample_call.3 \
	%D%/prf_pctrace.3 \
	%D%/prf_profil.3 \
	%D%/prf_profil_state.3 \
	%D%/prf_queue_sink.3 \
	%D%/prf_rawsamples_sink.3 \
	%D%/prf_region.3 \
	%D%/prf_sample.3 \
	%D%/prf_sprofil.3 \
	%D%/prf_table.3 \
	%D%/prf_tee_sink.3

# A page of section 3 is found by each name in its NAME: links are made of it.
EXTRA_DIST += %D%/names.awk
man_names = { cd '$(srcdir)' && \
	$(AWK) -f %D%/names.awk $(filter %.3,$(dist_man_MANS)); }

install-man-links: install-man3
	@$(man_names) | while read -r name page; do \
		echo ".so man3/$$page.3" >"$(DESTDIR)$(man3dir)/$$name.3" && \
		chmod 644 "$(DESTDIR)$(man3dir)/$$name.3" || exit; \
	done

# profrun(1) says where bugs are reported.
install-man-bugs: install-man1
	@page='$(DESTDIR)$(man1dir)/profrun.1' && \
		$(AWK) -v bugs='$(BUGURL)' '/^\.ds BUGS / { $$0 = ".ds BUGS " bugs } \
		{ print }' "$$page" >"$$page.tmp" && \
		chmod 644 "$$page.tmp" && mv -f "$$page.tmp" "$$page"

.PHONY: install-man-links install-man-bugs
install-data-local: install-man-links install-man-bugs

uninstall-local:
	@$(man_names) | while read -r name page; do \
		rm -f "$(DESTDIR)$(man3dir)/$$name.3"; \
	done
