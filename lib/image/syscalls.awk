# syscalls.tbl to syscall_table.c.
BEGIN {
	n_machines = split("EM_X86_64 EM_386 EM_AARCH64 EM_ARM", machines)
	print "#include <elf.h>\n"
	print "#include \"image/syscall_table.h\"\n"
}

/^#/ { next }

{
	for (i = 1; i <= n_machines; i++)
		if ($(i + 1) != "-")
			rows[i] = rows[i] "\t[" $(i + 1) "] = \"" $1 "\",\n"
}

END {
	for (i = 1; i <= n_machines; i++)
		printf "static const char *const names_%d[] = {\n%s};\n\n", i, rows[i]
	print "const struct prf_syscall_table prf_syscall_tables[PRF_N_SYSCALL_TABLES] = {"
	for (i = 1; i <= n_machines; i++)
		printf "\t{%s, names_%d, sizeof names_%d / sizeof *names_%d},\n",
		       machines[i], i, i, i
	print "};"
}
