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
            case --frequency --interval --output --clock --trigger '-*F' '-*i' '-*o'
                set takes_value yes
            case '-*'
            case '*'
                return 1
        end
    end
    return 0
end

complete -c profrun -n 'not __profrun_no_program' -x -a '(__fish_complete_subcommand -F --frequency -i --interval -o --output --clock --trigger)'
complete -c profrun -n __profrun_no_program -x -a '(__fish_complete_command)'
complete -c profrun -n __profrun_no_program -x -a check -d 'Tell what this machine allows'
complete -c profrun -n __profrun_no_program -x -a merge -d 'Add the profiles of several processes'
complete -c profrun -n __profrun_no_program -s F -l frequency -x -a '100 250 1000' -d 'Ticks for each second that a thread computes'
complete -c profrun -n __profrun_no_program -s i -l interval -x -a '10ms 4ms 1ms' -d 'The same as a time'
complete -c profrun -n __profrun_no_program -l clock -x -a 'cpu user' -d 'What counts as computing'
complete -c profrun -n __profrun_no_program -l trigger -x -a 'auto timer perf interrupt' -d 'What makes a thread stop'
complete -c profrun -n __profrun_no_program -s o -l output -r -d 'File to write'
complete -c profrun -n __profrun_no_program -l split -d 'Write a gmon.out for each object'
complete -c profrun -n __profrun_no_program -l inherit-counts -d 'Let forked processes begin with the counts of their parents'
complete -c profrun -n __profrun_no_program -s t -l threads -d 'Show the threads in the summary'
complete -c profrun -n __profrun_no_program -s q -l quiet -d 'No summary, no notes'
complete -c profrun -n __profrun_no_program -s v -l verbose -d 'Account for every tick in the summary'
complete -c profrun -n __profrun_no_program -l help -d 'Print help'
complete -c profrun -n __profrun_no_program -l usage -d 'Print a short usage message'
complete -c profrun -n __profrun_no_program -s V -l version -d 'Print the version'
