# data: what is installed and is not code.
pkgconfigdir = $(libdir)/pkgconfig
pkgconfig_DATA = %D%/profrun.pc %D%/profrun-compat.pc

# Headers by the names that other systems have for them.
prfcompatdir = $(includedir)/profrun-compat
dist_prfcompat_HEADERS = \
	%D%/compat/pcsample.h %D%/compat/unistd.h \
	%D%/compat/unistd_profil.h
prfcompatsysdir = $(prfcompatdir)/sys
dist_prfcompatsys_HEADERS = %D%/compat/sys/profil.h

# Completion of the command line: where the shells look below a prefix.
bashcompletiondir = $(datadir)/bash-completion/completions
dist_bashcompletion_DATA = %D%/bash/profrun
zshcompletiondir = $(datadir)/zsh/site-functions
dist_zshcompletion_DATA = %D%/zsh/_profrun
fishcompletiondir = $(datadir)/fish/vendor_completions.d
dist_fishcompletion_DATA = %D%/fish/profrun.fish

# A first profile, of a real program, without installing anything.
EXTRA_DIST += %D%/demo.sh
demo: all
	@PROFRUN='$(abs_top_builddir)/src/profrun' CC='$(CC)' \
		$(SHELL) $(srcdir)/%D%/demo.sh
.PHONY: demo

# What profrun export -f json writes.
schemadir = $(pkgdatadir)
dist_schema_DATA = %D%/samples.schema.json

# What file(1) needs to know a trace: cat it to ~/.magic, or file -m.
magicdir = $(pkgdatadir)
dist_magic_DATA = %D%/pctrace.magic
