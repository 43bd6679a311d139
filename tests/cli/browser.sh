# browser.sh - for tests of pages: sourced behind measure.sh.
# shellcheck shell=sh
# "what", "work" and "bad" are of measure.sh.
# shellcheck disable=SC2034,SC2154
browser=
for name in chromium chromium-browser google-chrome; do
	[ -n "$browser" ] || browser=$(command -v $name) || :
done
if [ -z "$browser" ] || ! command -v node >/dev/null; then
	skip 'there is no Chromium, or no node'
fi

# browse PAGE: somebody does in it what the file steps says (see page_driver.js), a
# picture the first.
browse() {
	what="a browser with $1"
	timeout -s KILL 120 node "$abs_top_srcdir/tests/cli/page_driver.js" \
		"$browser" "$work/$1" steps >out 2>&1 || {
		# Where it cannot start at all nothing was tried.
		ls ./*.png >/dev/null 2>&1 || skip "$(cat out)"
		complain "$(cat out)"
	}
	# Processes of the browser may live a moment longer than it.
	tries=0
	until rm -rf browser 2>/dev/null || [ "$tries" = 100 ]; do
		tries=$((tries + 1))
		sleep 0.1
	done
}
