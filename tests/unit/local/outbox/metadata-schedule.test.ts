import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { nextMetadataPollMs } from '#src/local/outbox/metadata-schedule.ts'

const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })

it('JOB-04 polling starts at 3 s, grows to 30 s and ends after 10 minutes, whatever the jitter', () => {
  fc.assert(
    fc.property(fc.infiniteStream(random), (stream) => {
      const delays: number[] = []
      let polledForMs = 0
      for (const value of stream) {
        const delayMs = nextMetadataPollMs({ polls: delays.length, polledForMs }, value)
        if (delayMs === null) break
        delays.push(delayMs)
        polledForMs += delayMs
      }
      expect(delays[0]).toBeGreaterThanOrEqual(3000)
      expect(delays[0]).toBeLessThanOrEqual(3600)
      expect(Math.max(...delays)).toBeLessThanOrEqual(30_000)
      expect(delays.at(-1)).toBe(30_000)
      expect(polledForMs).toBeGreaterThanOrEqual(600_000)
      expect(polledForMs).toBeLessThan(630_001)
    }),
  )
})
