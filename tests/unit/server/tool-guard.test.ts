import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { createToolGuard } from '#server/tool-guard.ts'
import { patience } from '#tests/setup/patience.ts'

it.runIf(process.platform === 'linux')(
  'SCL-03 tools are ended when the leases are not renewed, also while the event loop is held',
  async () => {
    const guard = createToolGuard(5)
    const start = () => spawn('sleep', ['600'], { detached: true, stdio: 'ignore' })
    const [kept, ended] = [start(), start()]
    const gone = once(ended, 'exit')
    // Ended by itself, or by a limit of its own.
    const leave = guard.add(kept.pid)
    expect(leave()).toBe(false)
    const wasEnded = guard.add(ended.pid)
    guard.allowFor(0)
    holdLoopUntilDead(ended.pid)
    expect(isDead(kept.pid)).toBe(false)
    expect(wasEnded()).toBe(true)
    guard.allowFor(null)
    await gone
    kept.kill('SIGKILL')
  },
)

function holdLoopUntilDead(pid: number | undefined): void {
  const pause = new Int32Array(new SharedArrayBuffer(4))
  for (let look = 0; look < patience(20) / 20; look += 1) {
    if (isDead(pid)) return
    Atomics.wait(pause, 0, 0, 20)
  }
  throw new Error('The tool was not ended')
}

/** A zombie: only the event loop, which is held, would take it away. */
function isDead(pid: number | undefined): boolean {
  return /\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))
}
