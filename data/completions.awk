# completions.awk - awk -v shell=bash -f completions.awk TABLE TEMPLATE
#
# Makes a shell's completions.  TABLE is what src/list_options prints, which
# says what its lines are.  In TEMPLATE, lines that begin with "#@" give way to
# what is made of the table.
BEGIN { FS = "\t" }

FILENAME == ARGV[1] && $1 == "command" {
	commands[++n_commands] = $2
	summaries[$2] = $3
}
FILENAME == ARGV[1] && $1 == "operand" { operands[$2] = $3 }
FILENAME == ARGV[1] && $1 == "option" {
	n_options++
	command[n_options] = $2
	letter[n_options] = $3
	name[n_options] = $4
	kind[n_options] = $5
	words[n_options] = $6 == "-" ? "" : $6
	text[n_options] = $7
}
FILENAME == ARGV[1] { next }

/^#@/ && shell == "bash" { bash_tables(); next }
/^#@/ && shell == "zsh" { zsh_tables(); next }
/^#@values@/ { fish_values(); next }
/^#@lines@/ { fish_lines(); next }
{ print }

# As one word of the shell's, in which MARK stands for an apostrophe.
# (In what gsub() puts in, each awk reads backslashes in its own way.)
function quoted(s, mark, parts, n, i) {
	n = split(s, parts, /'/)
	s = parts[1]
	for (i = 2; i <= n; i++)
		s = s mark parts[i]
	return "'" s "'"
}

function all_commands(i, s) {
	for (i = 1; i <= n_commands; i++)
		s = s (i > 1 ? " " : "") commands[i]
	return s
}

# Whether the word behind option I is its value.
function takes_word(i) {
	return kind[i] != "-" && kind[i] != "attached"
}

# The options of COMMAND; VALUED: those that take the word behind them.
function options_of(which, valued, i, s) {
	for (i = 1; i <= n_options; i++)
		if (command[i] == which && (!valued || takes_word(i)))
			s = s " " (letter[i] == "-" ? "" : letter[i] " ") name[i]
	return substr(s, 2)
}

# --- bash

function bash_tables(i) {
	print "_profrun_commands() { echo " all_commands() "; }"
	print "_profrun_is_command() { [[ \" $(_profrun_commands) \" == *\" $1 \"* ]]; }"
	print "_profrun_operand() {\n\tcase $1 in"
	for (i = 1; i <= n_commands; i++)
		if (commands[i] in operands)
			print "\t" commands[i] ") echo " operands[commands[i]] " ;;"
	print "\tesac\n}"
	print "_profrun_options() {\n\tcase $1 in\n\t'') echo '" options_of("") "' ;;"
	for (i = 1; i <= n_commands; i++)
		print "\t" commands[i] ") echo '" options_of(commands[i]) "' ;;"
	print "\tesac\n}"
	print "_profrun_value() {\n\tcase $1$2 in"
	for (i = 1; i <= n_options; i++)
		if (kind[i] != "-")
			print "\t" (letter[i] == "-" || !takes_word(i) ? "" : command[i] letter[i] " | ") \
				command[i] name[i] ") echo '" kind[i] " " words[i] "' ;;"
	print "\tesac\n}"
}

# --- zsh

function zsh_action(i) {
	if (kind[i] == "files")
		return "_files"
	if (kind[i] == "directories")
		return "_files -/"
	if (kind[i] == "pids")
		return "_sequence _pids"
	if (kind[i] == "list")
		return "_values -s , word " words[i]
	return words[i] == "" ? " " : "(" words[i] ")"
}

function zsh_spec(i, about, value) {
	about = text[i]
	gsub(/\[/, "\\[", about)
	gsub(/\]/, "\\]", about)
	about = "[" about "]"
	value = kind[i] == "-" ? "" : ":value:" zsh_action(i)
	if (kind[i] == "attached")
		return quoted("*" letter[i] "-" about ":" value, "'\\''") " " \
			quoted("*" name[i] "=-" about ":" value, "'\\''")
	if (letter[i] == "-")
		return quoted("*" name[i] (value ? "=" : "") about value, "'\\''")
	return quoted("*" letter[i] (value ? "+" : "") about value, "'\\''") " " \
		quoted("*" name[i] (value ? "=" : "") about value, "'\\''")
}

function zsh_case(which, i) {
	print "\t" quoted(which) ")\n\t\tspecs=("
	if (operands[which] == "programs")
		print "\t\t\t-A '-*'\n\t\t\t'(-):program:_command_names -e'\n" \
			"\t\t\t'*::arguments:_normal'"
	for (i = 1; i <= n_options; i++)
		if (command[i] == which)
			print "\t\t\t" zsh_spec(i)
	if (operands[which] == "files")
		print "\t\t\t'*:operand:_files'"
	print "\t\t) ;;"
}

function zsh_tables(i) {
	print "local -a _profrun_commands\n_profrun_commands=("
	for (i = 1; i <= n_commands; i++)
		print "\t" quoted(commands[i] "\\:\"" summaries[commands[i]] "\"")
	print ")\n_profrun_set_specs() {\n\tcase $1 in"
	zsh_case("")
	for (i = 1; i <= n_commands; i++)
		zsh_case(commands[i])
	print "\t*) return 1 ;;\n\tesac\n}"
}

# --- fish

function fish_values(i) {
	print "set -g __profrun_commands " all_commands()
	print "set -g __profrun_with_value " options_of("", 1)
}

function fish_action(i) {
	if (kind[i] == "-")
		return ""
	if (kind[i] == "files")
		return " -r -F"
	if (kind[i] == "directories")
		return " -x -a '(__fish_complete_directories)'"
	if (kind[i] == "pids")
		return " -x -a '(__profrun_list (__fish_complete_pids))'"
	if (kind[i] == "attached")
		return " -f -a '" words[i] "'"
	if (kind[i] == "list")
		return " -x -a '(__profrun_list " words[i] ")'"
	return " -x" (words[i] == "" ? "" : " -a '" words[i] "'")
}

function fish_lines(i, start) {
	start = "complete -c profrun -n '__profrun_is "
	for (i = 1; i <= n_commands; i++)
		print start "\"\"' -x -a " commands[i] " -d " \
			quoted(summaries[commands[i]], "\\'")
	for (i = 1; i <= n_options; i++)
		print start (command[i] == "" ? "\"\"" : command[i]) "'" \
			(letter[i] == "-" ? "" : " -s " substr(letter[i], 2)) \
			" -l " substr(name[i], 3) fish_action(i) " -d " \
			quoted(text[i], "\\'")
	for (i = 1; i <= n_commands; i++)
		if (!(commands[i] in operands))
			print start commands[i] "' -f"
}
