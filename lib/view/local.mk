# lib/view: a named profile to bytes, for people and for tools.
noinst_LTLIBRARIES += %D%/libprfview.la

%C%_libprfview_la_SOURCES =
