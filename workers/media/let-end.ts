import { nextTask } from '#src/lib/next-task.ts'

/**
 * Between two runs of ffmpeg, so that a job that was called off ends here: Chromium lets code that
 * runs go on for two seconds after its worker was ended (blink's worker_thread.cc,
 * kForcibleTerminationDelay), and it reads meanwhile.
 */
export function letEnd(): Promise<void> {
  return nextTask()
}
