# embed.awk - page.html, with page.css and page.js in it, as two tables of lines in
# C: what stands before the profile, and what stands behind it.

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

function include_file(name,   line) {
	while ((getline line < (dir "/" name)) > 0)
		put(line)
	close(dir "/" name)
}

function begin(name) { printf "const char *const %s[] = {\n", name }
function end() { print "\tNULL,\n};" }

BEGIN {
	print "#include <stddef.h>\n"
	print "#include \"view/page/page_text.h\"\n"
	begin("prf_page_before")
}
$0 == "@STYLE@" { include_file("page.css"); next }
$0 == "@SCRIPT@" { include_file("page.js"); next }
$0 == "@PROFILE@" { end(); begin("prf_page_behind"); next }
{ put($0) }
END { end() }
