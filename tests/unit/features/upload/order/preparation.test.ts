import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { preparationPercent, preparationSteps } from '#src/features/upload/order/preparation.ts'

describe('the bar while an order is prepared', () => {
  it('JOB-05 rises one point each 3.33 s to 90 over 5 minutes, then waits', () => {
    expect(preparationPercent(0, 'waiting')).toBe(0)
    expect(preparationPercent(3_333, 'waiting')).toBe(0)
    expect(preparationPercent(3_334, 'waiting')).toBe(1)
    expect(preparationPercent(150_000, 'waiting')).toBe(45)
    expect(preparationPercent(300_000, 'waiting')).toBe(90)
    expect(preparationPercent(3_600_000, 'waiting')).toBe(90)
  })

  it('JOB-05 shows 95 while the order is made and 100 when it is there', () => {
    expect(preparationPercent(10, 'creating-order')).toBe(95)
    expect(preparationPercent(10, 'done')).toBe(100)
  })

  it('JOB-05 never leaves 0 to 90 while waiting, whatever the clock says', () => {
    fc.assert(
      fc.property(fc.integer(), fc.nat(), (elapsedMs, moreMs) => {
        const percent = preparationPercent(elapsedMs, 'waiting')
        expect(percent).toBeGreaterThanOrEqual(0)
        expect(percent).toBeLessThanOrEqual(90)
        expect(preparationPercent(elapsedMs + moreMs, 'waiting')).toBeGreaterThanOrEqual(percent)
      }),
    )
  })

  it('shows exactly one true step as running until the order is there', () => {
    const intent = { needsAnalysis: true, isReceived: true, isAnalysed: false, mediaJobId: 'job' }
    expect(preparationSteps(intent, false).map((step) => [step.id, step.state])).toEqual([
      ['received', 'done'],
      ['analysed', 'now'],
      ['priced', 'next'],
      ['ready', 'next'],
    ])
    expect(
      preparationSteps({ ...intent, needsAnalysis: false }, false).map((step) => step.id),
    ).toEqual(['received', 'priced', 'ready'])
    expect(preparationSteps(intent, true).every((step) => step.state === 'done')).toBe(true)
  })
})
