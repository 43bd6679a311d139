# Of manual pages, for each name that a page has besides that of its file: the
# name and the page, "prf_hist_add prf_hist".  For man(7) and mdoc(7).

FNR == 1 {
	page = FILENAME
	sub(/.*\//, "", page)
	sub(/\.[0-9][a-z]*$/, "", page)
	inside = 0
}

/^\.S[Hh] / {
	inside = $2 == "NAME"
	next
}

inside {
	sub(/^\.Nm /, "")
	last = sub(/\\-.*|^\.Nd .*/, "")
	n = split($0, names, /[ ,]+/)
	for (i = 1; i <= n; i++)
		if (names[i] != "" && names[i] != page)
			print names[i], page
	if (last)
		inside = 0
}
