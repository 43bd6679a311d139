# embed.awk - page.html as two tables of lines in C: what stands before the profile,
# and what stands behind it.  A line "@NAME" in it is the file of that name.

# TEXT with a backslash before each BARE, a character.  (What sub() makes of
# backslashes is not the same everywhere.)
function escaped(text, bare,   made, at) {
	while ((at = index(text, bare)) > 0) {
		made = made substr(text, 1, at - 1) "\\" bare
		text = substr(text, at + 1)
	}
	return made text
}

function put(line) {
	line = escaped(line, "\\")
	line = escaped(line, "\"")
	printf "\t\"%s\\n\",\n", escaped(line, "?")
}

function include_file(name,   line, n) {
	for (; (getline line < (dir "/" name)) > 0; n++)
		put(line)
	close(dir "/" name)
	if (!n) {
		print "embed.awk: there is nothing in " name | "cat 1>&2"
		exit 1
	}
}

function begin(name) { printf "const char *const %s[] = {\n", name }
function end() { print "\tNULL,\n};" }

BEGIN {
	print "#include <stddef.h>\n"
	print "#include \"view/page/page_text.h\"\n"
	begin("prf_page_before")
}
$0 == "@PROFILE@" { end(); begin("prf_page_behind"); next }
/^@/ { include_file(substr($0, 2)); next }
{ put($0) }
END { end() }
