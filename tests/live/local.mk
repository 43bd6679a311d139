# tests/live: one program for each file of lib/live; links live and below.
check_PROGRAMS_UNIT += %D%/test_procfs
%C%_test_procfs_SOURCES = %D%/test_procfs.c
%C%_test_procfs_CFLAGS = $(prf_test_cflags)
%C%_test_procfs_LDADD = $(prf_live_libs) $(prf_test_libs)

check_PROGRAMS_UNIT += %D%/test_wants_tracer
%C%_test_wants_tracer_SOURCES = %D%/test_wants_tracer.c
%C%_test_wants_tracer_CFLAGS = $(prf_test_cflags)
%C%_test_wants_tracer_LDADD = $(prf_live_libs) $(prf_test_libs)

check_PROGRAMS_UNIT += %D%/test_timers
%C%_test_timers_SOURCES = %D%/test_timers.c
%C%_test_timers_CFLAGS = $(prf_test_cflags)
%C%_test_timers_LDADD = $(prf_live_libs) $(prf_test_libs)

check_PROGRAMS_UNIT += %D%/test_status
%C%_test_status_SOURCES = %D%/test_status.c
%C%_test_status_CFLAGS = $(prf_test_cflags)
%C%_test_status_LDADD = $(prf_live_libs) $(prf_test_libs)

check_PROGRAMS_UNIT += %D%/test_stat
%C%_test_stat_SOURCES = %D%/test_stat.c %D%/uring_worker.h
%C%_test_stat_CFLAGS = $(prf_test_cflags)
%C%_test_stat_LDADD = $(prf_live_libs) $(prf_test_libs)

check_PROGRAMS_UNIT += %D%/test_schedstat
%C%_test_schedstat_SOURCES = %D%/test_schedstat.c
%C%_test_schedstat_CFLAGS = $(prf_test_cflags)
%C%_test_schedstat_LDADD = $(prf_live_libs) $(prf_test_libs)

check_PROGRAMS_UNIT += %D%/test_creator
%C%_test_creator_SOURCES = %D%/test_creator.c
%C%_test_creator_CFLAGS = $(prf_test_cflags)
%C%_test_creator_LDADD = $(prf_live_libs) $(prf_test_libs)

check_PROGRAMS_UNIT += %D%/test_thread_files
%C%_test_thread_files_SOURCES = %D%/test_thread_files.c
%C%_test_thread_files_CFLAGS = $(prf_test_cflags)
%C%_test_thread_files_LDADD = $(prf_live_libs) $(prf_test_libs)

check_PROGRAMS_UNIT += %D%/test_awaited
%C%_test_awaited_SOURCES = %D%/test_awaited.c
%C%_test_awaited_CFLAGS = $(prf_test_cflags)
%C%_test_awaited_LDADD = $(prf_live_libs) $(prf_test_libs)

check_PROGRAMS_UNIT += %D%/test_dump
%C%_test_dump_SOURCES = %D%/test_dump.c %D%/uring_worker.h %D%/recorder.c %D%/recorder.h
%C%_test_dump_CFLAGS = $(prf_test_cflags)
%C%_test_dump_LDADD = $(prf_live_libs) $(prf_test_libs)

check_PROGRAMS_UNIT += %D%/test_position
%C%_test_position_SOURCES = %D%/test_position.c
%C%_test_position_CFLAGS = $(prf_test_cflags)
%C%_test_position_LDADD = $(prf_live_libs) $(prf_test_libs)

check_PROGRAMS_UNIT += %D%/test_procmap
%C%_test_procmap_SOURCES = %D%/test_procmap.c
%C%_test_procmap_CFLAGS = $(prf_test_cflags)
%C%_test_procmap_LDADD = $(prf_live_libs) $(prf_test_libs)

check_PROGRAMS_UNIT += %D%/test_repair
%C%_test_repair_SOURCES = %D%/test_repair.c
%C%_test_repair_CFLAGS = $(prf_test_cflags)
%C%_test_repair_LDADD = $(prf_live_libs) $(prf_test_libs)

check_PROGRAMS_UNIT += %D%/test_processes
%C%_test_processes_SOURCES = %D%/test_processes.c
%C%_test_processes_CFLAGS = $(prf_test_cflags)
%C%_test_processes_LDADD = $(prf_live_libs) $(prf_test_libs)

check_PROGRAMS_UNIT += %D%/test_unseen
%C%_test_unseen_SOURCES = %D%/test_unseen.c
%C%_test_unseen_CFLAGS = $(prf_test_cflags)
%C%_test_unseen_LDADD = $(prf_live_libs) $(prf_test_libs)

check_PROGRAMS_UNIT += %D%/test_usage
%C%_test_usage_SOURCES = %D%/test_usage.c
%C%_test_usage_CFLAGS = $(prf_test_cflags)
%C%_test_usage_LDADD = $(prf_live_libs) $(prf_test_libs)

check_PROGRAMS_UNIT += %D%/test_refusal
%C%_test_refusal_SOURCES = %D%/test_refusal.c
%C%_test_refusal_CFLAGS = $(prf_test_cflags)
%C%_test_refusal_LDADD = $(prf_live_libs) $(prf_test_libs)

check_PROGRAMS_UNIT += %D%/test_jobcontrol
%C%_test_jobcontrol_SOURCES = %D%/test_jobcontrol.c
%C%_test_jobcontrol_CFLAGS = $(prf_test_cflags)
%C%_test_jobcontrol_LDADD = $(prf_live_libs) $(prf_test_libs)

check_PROGRAMS_UNIT += %D%/test_relay
%C%_test_relay_SOURCES = %D%/test_relay.c
%C%_test_relay_CFLAGS = $(prf_test_cflags)
%C%_test_relay_LDADD = $(prf_live_libs) $(prf_test_libs)

check_PROGRAMS_UNIT += %D%/test_demand
%C%_test_demand_SOURCES = %D%/test_demand.c
%C%_test_demand_CFLAGS = $(prf_test_cflags)
%C%_test_demand_LDADD = $(prf_live_libs) $(prf_test_libs)

check_PROGRAMS_UNIT += %D%/test_takeover
%C%_test_takeover_SOURCES = %D%/test_takeover.c
%C%_test_takeover_CFLAGS = $(prf_test_cflags)
%C%_test_takeover_LDADD = $(prf_live_libs) $(prf_test_libs)

check_PROGRAMS_UNIT += %D%/test_schedule
%C%_test_schedule_SOURCES = %D%/test_schedule.c
%C%_test_schedule_CFLAGS = $(prf_test_cflags)
%C%_test_schedule_LDADD = $(prf_live_libs) $(prf_test_libs)

check_PROGRAMS_UNIT += %D%/test_stop
%C%_test_stop_SOURCES = %D%/test_stop.c
%C%_test_stop_CFLAGS = $(prf_test_cflags)
%C%_test_stop_LDADD = $(prf_live_libs) $(prf_test_libs)

check_PROGRAMS_UNIT += %D%/test_kept
%C%_test_kept_SOURCES = %D%/test_kept.c
%C%_test_kept_CFLAGS = $(prf_test_cflags)
%C%_test_kept_LDADD = $(prf_live_libs) $(prf_test_libs)

check_PROGRAMS_UNIT += %D%/test_tasks
%C%_test_tasks_SOURCES = %D%/test_tasks.c
%C%_test_tasks_CFLAGS = $(prf_test_cflags)
%C%_test_tasks_LDADD = $(prf_live_libs) $(prf_test_libs)

check_PROGRAMS_UNIT += %D%/test_triggers
%C%_test_triggers_SOURCES = %D%/test_triggers.c
%C%_test_triggers_CFLAGS = $(prf_test_cflags)
%C%_test_triggers_LDADD = $(prf_live_libs) $(prf_test_libs)

check_PROGRAMS_UNIT += %D%/test_start
%C%_test_start_SOURCES = %D%/test_start.c
%C%_test_start_CFLAGS = $(prf_test_cflags)
%C%_test_start_LDADD = $(prf_live_libs) $(prf_test_libs)

check_PROGRAMS_UNIT += %D%/test_account
%C%_test_account_SOURCES = %D%/test_account.c
%C%_test_account_CFLAGS = $(prf_test_cflags)
%C%_test_account_LDADD = $(prf_live_libs) $(prf_test_libs)

check_PROGRAMS_UNIT += %D%/test_call_number
%C%_test_call_number_SOURCES = %D%/test_call_number.c
%C%_test_call_number_CFLAGS = $(prf_test_cflags)
%C%_test_call_number_LDADD = $(prf_live_libs) $(prf_test_libs)

check_PROGRAMS_UNIT += %D%/test_call_site
%C%_test_call_site_SOURCES = %D%/test_call_site.c
%C%_test_call_site_CFLAGS = $(prf_test_cflags)
%C%_test_call_site_LDADD = $(prf_live_libs) $(prf_test_libs)

check_PROGRAMS_UNIT += %D%/test_ring_gaps
%C%_test_ring_gaps_SOURCES = %D%/test_ring_gaps.c
%C%_test_ring_gaps_CFLAGS = $(prf_test_cflags)
%C%_test_ring_gaps_LDADD = $(prf_live_libs) $(prf_test_libs)

check_PROGRAMS_UNIT += %D%/test_ring_news
%C%_test_ring_news_SOURCES = %D%/test_ring_news.c
%C%_test_ring_news_CFLAGS = $(prf_test_cflags)
%C%_test_ring_news_LDADD = $(prf_live_libs) $(prf_test_libs)

check_PROGRAMS_UNIT += %D%/test_ring_records
%C%_test_ring_records_SOURCES = %D%/test_ring_records.c
%C%_test_ring_records_CFLAGS = $(prf_test_cflags)
%C%_test_ring_records_LDADD = $(prf_live_libs) $(prf_test_libs)

check_PROGRAMS_UNIT += %D%/test_wheel
%C%_test_wheel_SOURCES = %D%/test_wheel.c
%C%_test_wheel_CFLAGS = $(prf_test_cflags)
%C%_test_wheel_LDADD = $(prf_live_libs) $(prf_test_libs)

# Tests of what is done to a process share how to have one.
prf_traced = %D%/traced.h %D%/traced.c %D%/waiting_calls.h %D%/uring_worker.h \
	%D%/long_exec.h
prf_injectable = %D%/injectable.h %D%/injectable.c $(prf_traced)
prf_recorder = %D%/recorder.h %D%/recorder.c
prf_sampling = %D%/sampling.h %D%/sampling.c $(prf_traced) $(prf_recorder)
prf_watching = %D%/watching.h %D%/watching.c $(prf_traced) $(prf_recorder)

check_PROGRAMS_UNIT += %D%/test_inject
%C%_test_inject_SOURCES = %D%/test_inject.c $(prf_injectable)
%C%_test_inject_CFLAGS = $(prf_test_cflags)
%C%_test_inject_LDADD = $(prf_live_libs) $(prf_test_libs)

check_PROGRAMS_UNIT += %D%/test_inject_meanwhile
%C%_test_inject_meanwhile_SOURCES = %D%/test_inject_meanwhile.c $(prf_injectable)
%C%_test_inject_meanwhile_CFLAGS = $(prf_test_cflags)
%C%_test_inject_meanwhile_LDADD = $(prf_live_libs) $(prf_test_libs)

check_PROGRAMS_UNIT += %D%/test_overdue
%C%_test_overdue_SOURCES = %D%/test_overdue.c $(prf_injectable)
%C%_test_overdue_CFLAGS = $(prf_test_cflags)
%C%_test_overdue_LDADD = $(prf_live_libs) $(prf_test_libs)

check_PROGRAMS_UNIT += %D%/test_launch
%C%_test_launch_SOURCES = %D%/test_launch.c
%C%_test_launch_CFLAGS = $(prf_test_cflags)
%C%_test_launch_LDADD = $(prf_live_libs) $(prf_test_libs)

check_PROGRAMS_UNIT += %D%/test_sampler
%C%_test_sampler_SOURCES = %D%/test_sampler.c $(prf_sampling)
%C%_test_sampler_CFLAGS = $(prf_test_cflags)
%C%_test_sampler_LDADD = $(prf_live_libs) $(prf_test_libs)

check_PROGRAMS_UNIT += %D%/test_wall
%C%_test_wall_SOURCES = %D%/test_wall.c $(prf_sampling)
%C%_test_wall_CFLAGS = $(prf_test_cflags)
%C%_test_wall_LDADD = $(prf_live_libs) $(prf_test_libs)

check_PROGRAMS_UNIT += %D%/test_call_graph
%C%_test_call_graph_SOURCES = %D%/test_call_graph.c $(prf_sampling)
%C%_test_call_graph_CFLAGS = $(prf_test_cflags)
%C%_test_call_graph_LDADD = $(prf_live_libs) $(prf_test_libs)

check_PROGRAMS_UNIT += %D%/test_places
%C%_test_places_SOURCES = %D%/test_places.c $(prf_sampling)
%C%_test_places_CFLAGS = $(prf_test_cflags)
%C%_test_places_LDADD = $(prf_live_libs) $(prf_test_libs)

# What test_sampler runs besides the workloads.
check_PROGRAMS += %D%/spawner
%C%_spawner_SOURCES = %D%/spawner.c
%C%_spawner_CPPFLAGS = -I$(top_srcdir)/tests
%C%_spawner_CFLAGS = $(prf_workload_cflags)
%C%_spawner_LDFLAGS = $(prf_workload_ldflags)

check_PROGRAMS_UNIT += %D%/test_copy_stack
%C%_test_copy_stack_SOURCES = %D%/test_copy_stack.c $(prf_traced)
%C%_test_copy_stack_CFLAGS = $(prf_test_cflags)
%C%_test_copy_stack_LDADD = $(prf_live_libs) $(prf_test_libs)

check_PROGRAMS_UNIT += %D%/test_stack_place
%C%_test_stack_place_SOURCES = %D%/test_stack_place.c
%C%_test_stack_place_CFLAGS = $(prf_test_cflags)
%C%_test_stack_place_LDADD = $(prf_live_libs) $(prf_test_libs)

check_PROGRAMS_UNIT += %D%/test_bring
%C%_test_bring_SOURCES = %D%/test_bring.c
%C%_test_bring_CFLAGS = $(prf_test_cflags)
%C%_test_bring_LDADD = $(prf_live_libs) $(prf_test_libs)

check_PROGRAMS_UNIT += %D%/test_memory
%C%_test_memory_SOURCES = %D%/test_memory.c
%C%_test_memory_CFLAGS = $(prf_test_cflags)
%C%_test_memory_LDADD = $(prf_live_libs) $(prf_test_libs)

check_PROGRAMS_UNIT += %D%/test_page_runs
%C%_test_page_runs_SOURCES = %D%/test_page_runs.c
%C%_test_page_runs_CFLAGS = $(prf_test_cflags)
%C%_test_page_runs_LDADD = $(prf_live_libs) $(prf_test_libs)

check_PROGRAMS_UNIT += %D%/test_pagemap
%C%_test_pagemap_SOURCES = %D%/test_pagemap.c
%C%_test_pagemap_CFLAGS = $(prf_test_cflags)
%C%_test_pagemap_LDADD = $(prf_live_libs) $(prf_test_libs)

check_PROGRAMS_UNIT += %D%/test_exec_strings
%C%_test_exec_strings_SOURCES = %D%/test_exec_strings.c
%C%_test_exec_strings_CFLAGS = $(prf_test_cflags)
%C%_test_exec_strings_LDADD = $(prf_live_libs) $(prf_test_libs)

check_PROGRAMS_UNIT += %D%/test_watch
%C%_test_watch_SOURCES = %D%/test_watch.c
%C%_test_watch_CFLAGS = $(prf_test_cflags)
%C%_test_watch_LDADD = $(prf_live_libs) $(prf_test_libs)

check_PROGRAMS_UNIT += %D%/test_stack_store
%C%_test_stack_store_SOURCES = %D%/test_stack_store.c
%C%_test_stack_store_CFLAGS = $(prf_test_cflags)
%C%_test_stack_store_LDADD = $(prf_live_libs) $(prf_test_libs)

check_PROGRAMS_UNIT += %D%/test_mapwatch
%C%_test_mapwatch_SOURCES = %D%/test_mapwatch.c $(prf_recorder)
%C%_test_mapwatch_CFLAGS = $(prf_test_cflags)
%C%_test_mapwatch_LDADD = $(prf_live_libs) $(prf_test_libs)

check_PROGRAMS_UNIT += %D%/test_cpu_timer
%C%_test_cpu_timer_SOURCES = %D%/test_cpu_timer.c $(prf_traced)
%C%_test_cpu_timer_CFLAGS = $(prf_test_cflags)
%C%_test_cpu_timer_LDADD = $(prf_live_libs) $(prf_test_libs)

check_PROGRAMS_UNIT += %D%/test_idle_timers
%C%_test_idle_timers_SOURCES = %D%/test_idle_timers.c $(prf_traced)
%C%_test_idle_timers_CFLAGS = $(prf_test_cflags)
%C%_test_idle_timers_LDADD = $(prf_live_libs) $(prf_test_libs)

check_PROGRAMS_UNIT += %D%/test_trigger_timer
%C%_test_trigger_timer_SOURCES = %D%/test_trigger_timer.c $(prf_traced)
%C%_test_trigger_timer_CFLAGS = $(prf_test_cflags)
%C%_test_trigger_timer_LDADD = $(prf_live_libs) $(prf_test_libs)

check_PROGRAMS_UNIT += %D%/test_trigger_interrupt
%C%_test_trigger_interrupt_SOURCES = %D%/test_trigger_interrupt.c $(prf_traced)
%C%_test_trigger_interrupt_CFLAGS = $(prf_test_cflags)
%C%_test_trigger_interrupt_LDADD = $(prf_live_libs) $(prf_test_libs)

check_PROGRAMS_UNIT += %D%/test_probe
%C%_test_probe_SOURCES = %D%/test_probe.c
%C%_test_probe_CFLAGS = $(prf_test_cflags)
%C%_test_probe_LDADD = $(prf_live_libs) $(prf_test_libs)

check_PROGRAMS_UNIT += %D%/test_stop_cost
%C%_test_stop_cost_SOURCES = %D%/test_stop_cost.c $(prf_traced)
%C%_test_stop_cost_CFLAGS = $(prf_test_cflags)
%C%_test_stop_cost_LDADD = $(prf_live_libs) $(prf_test_libs)

check_PROGRAMS_UNIT += %D%/test_trigger_ring
%C%_test_trigger_ring_SOURCES = %D%/test_trigger_ring.c $(prf_traced)
%C%_test_trigger_ring_CFLAGS = $(prf_test_cflags)
%C%_test_trigger_ring_LDADD = $(prf_live_libs) $(prf_test_libs)

check_PROGRAMS_UNIT += %D%/test_begin
%C%_test_begin_SOURCES = %D%/test_begin.c $(prf_traced)
%C%_test_begin_CFLAGS = $(prf_test_cflags)
%C%_test_begin_LDADD = $(prf_live_libs) $(prf_test_libs)

check_PROGRAMS_UNIT += %D%/test_check
%C%_test_check_SOURCES = %D%/test_check.c
%C%_test_check_CFLAGS = $(prf_test_cflags)
%C%_test_check_LDADD = $(prf_live_libs) $(prf_test_libs)

check_PROGRAMS_UNIT += %D%/test_rank
%C%_test_rank_SOURCES = %D%/test_rank.c
%C%_test_rank_CFLAGS = $(prf_test_cflags)
%C%_test_rank_LDADD = $(prf_live_libs) $(prf_test_libs)

check_PROGRAMS_UNIT += %D%/test_kernel
%C%_test_kernel_SOURCES = %D%/test_kernel.c
%C%_test_kernel_CFLAGS = $(prf_test_cflags)
%C%_test_kernel_LDADD = $(prf_live_libs) $(prf_test_libs)

check_PROGRAMS_UNIT += %D%/test_clock
%C%_test_clock_SOURCES = %D%/test_clock.c
%C%_test_clock_CFLAGS = $(prf_test_cflags)
%C%_test_clock_LDADD = $(prf_live_libs) $(prf_test_libs)

check_PROGRAMS_UNIT += %D%/test_in_step
%C%_test_in_step_SOURCES = %D%/test_in_step.c
%C%_test_in_step_CFLAGS = $(prf_test_cflags)
%C%_test_in_step_LDADD = $(prf_live_libs) $(prf_test_libs)

check_PROGRAMS_UNIT += %D%/test_thread_ticks
%C%_test_thread_ticks_SOURCES = %D%/test_thread_ticks.c
%C%_test_thread_ticks_CFLAGS = $(prf_test_cflags)
%C%_test_thread_ticks_LDADD = $(prf_live_libs) $(prf_test_libs)

check_PROGRAMS_UNIT += %D%/test_weigh
%C%_test_weigh_SOURCES = %D%/test_weigh.c
%C%_test_weigh_CFLAGS = $(prf_test_cflags)
%C%_test_weigh_LDADD = $(prf_live_libs) $(prf_test_libs)

check_PROGRAMS_UNIT += %D%/test_probe_killed
%C%_test_probe_killed_SOURCES = %D%/test_probe_killed.c
%C%_test_probe_killed_CFLAGS = $(prf_test_cflags)
%C%_test_probe_killed_LDADD = $(prf_live_libs) $(prf_test_libs)
check_PROGRAMS_UNIT += %D%/test_tracer
%C%_test_tracer_SOURCES = %D%/test_tracer.c $(prf_watching)
%C%_test_tracer_CFLAGS = $(prf_test_cflags)
%C%_test_tracer_LDADD = $(prf_live_libs) $(prf_test_libs)

check_PROGRAMS_UNIT += %D%/test_birth
%C%_test_birth_SOURCES = %D%/test_birth.c $(prf_watching)
%C%_test_birth_CFLAGS = $(prf_test_cflags)
%C%_test_birth_LDADD = $(prf_live_libs) $(prf_test_libs)

check_PROGRAMS_UNIT += %D%/test_attach
%C%_test_attach_SOURCES = %D%/test_attach.c $(prf_watching)
%C%_test_attach_CFLAGS = $(prf_test_cflags)
%C%_test_attach_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=prf_tasks_add
%C%_test_attach_LDADD = $(prf_live_libs) $(prf_test_libs)

check_PROGRAMS_UNIT += %D%/test_seize_thread
%C%_test_seize_thread_SOURCES = %D%/test_seize_thread.c $(prf_traced)
%C%_test_seize_thread_CFLAGS = $(prf_test_cflags)
%C%_test_seize_thread_LDADD = $(prf_live_libs) $(prf_test_libs)

check_PROGRAMS_UNIT += %D%/test_leave
%C%_test_leave_SOURCES = %D%/test_leave.c $(prf_watching)
%C%_test_leave_CFLAGS = $(prf_test_cflags)
%C%_test_leave_LDADD = $(prf_live_libs) $(prf_test_libs)

check_PROGRAMS_UNIT += %D%/test_take_sample
%C%_test_take_sample_SOURCES = %D%/test_take_sample.c $(prf_watching)
%C%_test_take_sample_CFLAGS = $(prf_test_cflags)
%C%_test_take_sample_LDADD = $(prf_live_libs) $(prf_test_libs)

check_PROGRAMS_UNIT += %D%/test_death
%C%_test_death_SOURCES = %D%/test_death.c $(prf_watching)
%C%_test_death_CFLAGS = $(prf_test_cflags)
%C%_test_death_LDADD = $(prf_live_libs) $(prf_test_libs)

check_PROGRAMS_UNIT += %D%/test_accept
%C%_test_accept_SOURCES = %D%/test_accept.c $(prf_traced)
%C%_test_accept_CFLAGS = $(prf_test_cflags)
%C%_test_accept_LDADD = $(prf_live_libs) $(prf_test_libs)

check_PROGRAMS_UNIT += %D%/test_pending
%C%_test_pending_SOURCES = %D%/test_pending.c $(prf_traced)
%C%_test_pending_CFLAGS = $(prf_test_cflags)
%C%_test_pending_LDADD = $(prf_live_libs) $(prf_test_libs)
