import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  NOTHING_CHOSEN,
  isChosen,
  reduceSelection,
  type Selection,
  type SelectionEvent,
} from '#src/features/upload/formats/selection.ts'
import type { PresetSlug, TaskRequest } from '#src/local/edits/task-requests.ts'

const PLAIN: readonly PresetSlug[] = ['teaser-15s', 'still-pack', 'social-media-gif-pack']
const WITH_OPTIONS: readonly PresetSlug[] = ['dynamic-watermark', 'tube-cut']
const watermark = (text: string): TaskRequest => ({
  mediaJobTaskPresetSlug: 'dynamic-watermark',
  payload: { text },
})
const cut = (targetDuration: number): TaskRequest => ({
  mediaJobTaskPresetSlug: 'tube-cut',
  payload: { targetDuration, introMediaAssetIds: [], outroMediaAssetIds: [] },
})

const events: fc.Arbitrary<SelectionEvent> = fc.oneof(
  fc.record({
    kind: fc.constant('press' as const),
    slug: fc.constantFrom(...PLAIN, ...WITH_OPTIONS),
  }),
  fc.record({
    kind: fc.constant('change' as const),
    slug: fc.constantFrom(...PLAIN, ...WITH_OPTIONS),
  }),
  fc.record({
    kind: fc.constant('apply' as const),
    request: fc.oneof(fc.string().map(watermark), fc.nat().map(cut)),
  }),
  fc.constant({ kind: 'close' as const }),
)
const slugs = (selection: Selection) =>
  selection.requests.map((request) => request.mediaJobTaskPresetSlug)

describe('the selection model', () => {
  it('FMT-04 toggles, asks for options before adding, and never holds a preset twice', () => {
    fc.assert(
      fc.property(fc.array(events, { maxLength: 40 }), (sequence) => {
        let selection = NOTHING_CHOSEN
        for (const event of sequence) {
          const before = selection
          selection = reduceSelection(before, event)
          expect(new Set(slugs(selection)).size).toBe(selection.requests.length)
          if (event.kind === 'press') {
            const wasChosen = isChosen(before.requests, event.slug)
            const asks = !wasChosen && WITH_OPTIONS.includes(event.slug)
            expect(selection.optionsOf).toBe(asks ? event.slug : null)
            expect(isChosen(selection.requests, event.slug)).toBe(!wasChosen && !asks)
          }
          if (event.kind === 'apply') {
            expect(selection.optionsOf).toBeNull()
            expect(selection.requests).toContainEqual(event.request)
          }
          if (event.kind === 'close')
            expect(selection).toEqual({ requests: before.requests, optionsOf: null })
        }
      }),
    )
  })

  it('FMT-04 keeps the place of a preset whose options change', () => {
    const chosen = ['still-pack', 'teaser-15s'].reduce<Selection>(
      (selection, slug) => reduceSelection(selection, { kind: 'press', slug: slug as PresetSlug }),
      {
        requests: [watermark('@one')],
        optionsOf: null,
      },
    )
    const changed = reduceSelection(
      reduceSelection(chosen, { kind: 'change', slug: 'dynamic-watermark' }),
      { kind: 'apply', request: watermark('@two') },
    )
    expect(changed.requests[0]).toEqual(watermark('@two'))
    expect(slugs(changed)).toEqual(['dynamic-watermark', 'still-pack', 'teaser-15s'])
  })
})
