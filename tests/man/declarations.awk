# The declarations and definitions of C text, one a line, spelled one way:
# single blanks, no comments, nothing that only the compiler is told or that is
# for C++.  The body of an inline function is left out.

{
	text = text $0 "\n"
}

END {
	gsub(/\\\n/, " ", text)
	text = without_comments(text)
	n = split(text, lines, "\n")
	for (i = 1; i <= n; i++)
		take(lines[i])
}

function without_comments(s,    before, from, to)
{
	while (from = index(s, "/*")) {
		to = index(substr(s, from + 2), "*/")
		before = before substr(s, 1, from - 1) " "
		s = substr(s, from + 2 + to + 1)
	}
	return before s
}

function take(line,    i, c)
{
	if (line ~ /^#ifdef __cplusplus/)
		for_cxx = 1
	else if (line ~ /^#(else|endif)/)
		for_cxx = 0
	if (for_cxx)
		return
	if (line ~ /^[ \t]*#/) {
		if (line ~ /^[ \t]*#[ \t]*(define|include)/)
			say(line)
		return
	}
	gsub(/extern "C" *\{|PRF_(BEGIN|END)_DECLS|PRF_MUST_CHECK/, "", line)
	gsub(/PRF_PRINTF\([^)]*\)/, "", line)
	gsub(/__inline__/, "inline", line) # as C89 knows it
	for (i = 1; i <= length(line); i++) {
		c = substr(line, i, 1)
		depth += (c == "{") - (c == "}")
		if (c == "{" && depth == 1 && statement ~ /\)[ \t]*$/)
			body = 1
		if (!body && !(c == ";" && depth == 0))
			statement = statement c
		if (depth == 0 && (c == ";" || (body && c == "}")))
			end_statement()
	}
	statement = statement " "
}

function end_statement()
{
	say(statement)
	statement = ""
	body = 0
}

function say(s)
{
	gsub(/[ \t]+/, " ", s)
	gsub(/ ?\* ?/, " *", s)
	gsub(/\* \*/, "**", s)
	gsub(/\( /, "(", s)
	gsub(/ \(/, "(", s)
	gsub(/ ?, ?\}/, " }", s)
	sub(/^ /, "", s)
	sub(/ $/, "", s)
	if (s != "")
		print s
}
