import { describe, expect, it } from 'vitest'
import { createAllowance, GaveWay } from '#server/media/allowance.ts'
import { checkLimits } from '#server/media/cost.ts'

const LIMITS = { maxFileBytes: 0, cpuSeconds: 600 }

describe('TRU-03 what all tools of one check may use together', () => {
  it('TRU-03 a small file has 30 s and 2 GB, also when its check begins twice; a large one more', () => {
    const small = checkLimits(30_000_000)
    expect((small.quickSeconds ?? 0) + small.cpuSeconds).toBeLessThanOrEqual(30)
    expect(small.memoryBytes).toBeLessThan(4 * 1024 ** 3)
    expect(checkLimits(1e9).cpuSeconds).toBeGreaterThan(200)
    expect(checkLimits(1e9).memoryBytes).toBeUndefined()
  })

  it('TRU-03 runs that each take all they get come to no more than that', () => {
    const allowance = createAllowance({ cpuSeconds: 24 })
    const granted: number[] = []
    for (let run = 0; run < 100; run += 1) {
      const limits = allowance.grant(LIMITS)
      if (limits === null) break
      granted.push(limits.cpuSeconds)
      allowance.spend(limits.cpuSeconds)
    }
    expect(granted.slice(0, 4)).toEqual([12, 6, 3, 1])
    expect(allowance.usedSeconds()).toBe(24)
    expect(allowance.grant(LIMITS)).toBeNull()
  })

  it('TRU-03 a run keeps its own limits where they are less', () => {
    const allowance = createAllowance({ cpuSeconds: 24, memoryBytes: 2000 })
    const own = { maxFileBytes: 7, cpuSeconds: 5, memoryBytes: 1000 }
    expect(allowance.grant(own)).toEqual(own)
    expect(allowance.grant(LIMITS)).toEqual({ ...LIMITS, cpuSeconds: 12, memoryBytes: 2000 })
    allowance.grantAll()
    expect(allowance.grant(LIMITS)?.cpuSeconds).toBe(24)
  })

  it.each([true, false])('TRU-03 what is slow asks once whether it may go on: %s', (mayGoOn) => {
    let asked = 0
    const allowance = createAllowance({
      cpuSeconds: 24,
      quickSeconds: 4,
      mayGoOn: () => {
        asked += 1
        return mayGoOn
      },
    })
    allowance.spend(4)
    expect([asked, allowance.signal.aborted]).toEqual([0, false])
    allowance.spend(0.1)
    allowance.spend(5)
    expect([asked, allowance.signal.aborted]).toEqual([1, !mayGoOn])
    if (!mayGoOn) expect(allowance.signal.reason).toBeInstanceOf(GaveWay)
  })
})
