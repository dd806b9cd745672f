import { expect, it } from 'vitest'
import { createLog } from '#server/log.ts'
import { watchLoop } from '#server/process/loop-meter.ts'

it('TRU-10 the log says how long the event loop was held, when that was over 200 ms', () => {
  const lines: unknown[] = []
  const delay = {
    max: 0,
    enable: () => true,
    reset() {
      this.max = 0
    },
  }
  const look = watchLoop(
    createLog((line) => lines.push(JSON.parse(line))),
    delay,
  )
  for (const heldMs of [5, 200, 431, 0]) {
    // Node's figures have its own pause between two looks on top.
    delay.max = Math.max(delay.max, (heldMs + 20) * 1e6)
    look()
  }
  expect(lines).toEqual([
    expect.objectContaining({ level: 'warn', event: 'server/loop-held', longestMs: 431 }),
  ])
})
