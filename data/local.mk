# data: what is installed and is not code.
pkgconfigdir = $(libdir)/pkgconfig
pkgconfig_DATA = %D%/profrun.pc
