# fish completion for profrun(1)

# Options end at the program: true before it.
function __profrun_no_program
    set -l words (commandline -opc)
    set -e words[1]
    set -l takes_value no
    for word in $words
        if test $takes_value = yes
            set takes_value no
            continue
        end
        switch $word
            case --
                return 1
            case --frequency --interval --output --clock --trigger --pid --follow --duration --delay --toggle-signal --format --samples '-*F' '-*f' '-*i' '-*o' '-*p' '-*d' '-*D'
                set takes_value yes
            case '-*'
            case '*'
                return 1
        end
    end
    return 0
end

complete -c profrun -n 'not __profrun_no_program' -x -a '(__fish_complete_subcommand -F --frequency -i --interval -o --output --clock --trigger -p --pid --follow -d --duration -D --delay --toggle-signal -f --format --samples)'
complete -c profrun -n __profrun_no_program -x -a '(__fish_complete_command)'
complete -c profrun -n __profrun_no_program -x -a check -d 'Tell what this machine allows'
complete -c profrun -n __profrun_no_program -x -a export -d 'Write a trace in another format'
complete -c profrun -n __profrun_no_program -x -a report -d 'Print where the time of a trace went'
complete -c profrun -n __profrun_no_program -x -a merge -d 'Add the profiles of several processes'
complete -c profrun -n __profrun_no_program -s F -l frequency -x -a '100 250 1000' -d 'Ticks for each second that a thread computes'
complete -c profrun -n __profrun_no_program -s i -l interval -x -a '10ms 4ms 1ms' -d 'The same as a time'
complete -c profrun -n __profrun_no_program -l clock -x -a 'cpu user wall' -d 'What time counts'
complete -c profrun -n __profrun_no_program -s w -l wall -d 'The same as --clock=wall'
complete -c profrun -n __profrun_no_program -l trigger -x -a 'auto timer perf interrupt' -d 'What makes a thread stop'
complete -c profrun -n __profrun_no_program -s p -l pid -x -a '(__fish_complete_pids)' -d 'Look at processes that run already'
complete -c profrun -n __profrun_no_program -l follow -x -a 'all exec none' -d 'Descendants too'
complete -c profrun -n __profrun_no_program -s d -l duration -x -a '1 10 60' -d 'Stop looking after that many seconds'
complete -c profrun -n __profrun_no_program -s D -l delay -x -a '100 1000' -d 'Begin to count after that many ms'
complete -c profrun -n __profrun_no_program -l toggle-signal -x -a 'USR1 USR2' -d 'Stop and go on counting at this signal'
complete -c profrun -n __profrun_no_program -s f -l format -x -a 'gmon pcsample raw gmon,pcsample' -d 'What to write'
complete -c profrun -n __profrun_no_program -l samples -x -d 'Store no more samples in the raw format'
complete -c profrun -n __profrun_no_program -s o -l output -r -d 'File to write'
complete -c profrun -n __profrun_no_program -l split -d 'Write a gmon.out for each object'
complete -c profrun -n __profrun_no_program -l inherit-counts -d 'Let forked processes begin with the counts of their parents'
complete -c profrun -n __profrun_no_program -s t -l threads -d 'Show the threads in the summary'
complete -c profrun -n __profrun_no_program -s q -l quiet -d 'No summary, no notes'
complete -c profrun -n __profrun_no_program -s v -l verbose -d 'Account for every tick in the summary'
complete -c profrun -n __profrun_no_program -l help -d 'Print help'
complete -c profrun -n __profrun_no_program -l usage -d 'Print a short usage message'
complete -c profrun -n __profrun_no_program -s V -l version -d 'Print the version'
