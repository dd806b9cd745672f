/**
 * Between two runs of ffmpeg, so that a job that was called off ends here: Chromium lets code that
 * runs go on for two seconds after its worker was ended (blink's worker_thread.cc,
 * kForcibleTerminationDelay), and it reads meanwhile. A message, because timers wait longer.
 */
export function letEnd(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => {
      port1.close()
      resolve()
    }
    port2.postMessage(null)
  })
}
