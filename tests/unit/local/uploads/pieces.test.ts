import { describe, expect, it } from 'vitest'
import { PieceSize } from '#src/local/uploads/transfer/pieces.ts'
import { MIB } from '#src/lib/bytes.ts'

const PART = 16 * MIB

describe('the pieces of a part', () => {
  it('SAF-03 begin small, and are the rest of the part on a fast network', () => {
    const pieces = new PieceSize()
    expect(pieces.next(PART)).toBe(MIB / 4)
    pieces.answered(MIB / 4, 100)
    expect(pieces.next(PART - MIB / 4)).toBe(PART - MIB / 4)
  })

  it('SAF-03 take about eight seconds each on a slow network', () => {
    const pieces = new PieceSize()
    pieces.answered(MIB / 4, 4_000)
    expect(pieces.next(PART)).toBe(MIB / 2)
    pieces.answered(MIB / 2, 32_000)
    expect(pieces.next(PART)).toBe(MIB / 4)
  })

  it('are halved when nothing of what was sent arrived, down to the smallest', () => {
    const pieces = new PieceSize()
    pieces.answered(8 * MIB, 1_000)
    pieces.lost(4 * MIB)
    expect(pieces.next(PART)).toBe(2 * MIB)
    pieces.lost(100)
    expect(pieces.next(PART)).toBe(MIB / 4)
  })

  it('SAF-01 never grow beyond what a machine in between accepts', () => {
    const pieces = new PieceSize()
    expect(pieces.refused(MIB)).toBe(true)
    pieces.answered(MIB / 2, 10)
    pieces.answered(MIB / 2, 10)
    expect(pieces.next(PART)).toBe(MIB / 2)
    expect(pieces.refused(MIB / 4)).toBe(false)
  })

  it('are small again after a refusal, until one is answered', () => {
    const pieces = new PieceSize()
    pieces.answered(8 * MIB, 1_000)
    pieces.startOver()
    expect(pieces.next(PART)).toBe(MIB / 4)
    pieces.answered(MIB / 4, 100)
    expect(pieces.next(PART)).toBe(PART)
  })

  it('leave no small rest behind', () => {
    expect(new PieceSize().next(MIB / 4 + 1)).toBe(MIB / 4 + 1)
    const pieces = new PieceSize()
    pieces.answered(MIB, 1_000)
    expect(pieces.next(12 * MIB)).toBe(12 * MIB)
    expect(pieces.next(PART)).toBe(8 * MIB)
    pieces.answered(MIB, 999)
    expect(Number.isInteger(pieces.next(PART))).toBe(true)
  })
})
