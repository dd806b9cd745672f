import { optionsWords } from '#src/components/options/forms.tsx'
import { priceWords, tokens } from '#src/components/tokens/token-words.ts'
import type { Preset } from '#src/hooks/edits/use-presets.ts'
import { editName } from '#src/local/edits/edit-name.ts'
import { editPrice, priceTotal, type EditPrice, type PriceTotal } from '#src/local/edits/price.ts'
import { redoPrice } from '#src/local/edits/redo.ts'
import type { TaskRequest } from '#src/local/edits/task-requests.ts'
import { Button } from '#src/ui/Button.tsx'
import { Card } from '#src/ui/Card.tsx'

export interface ChosenEditsProps {
  readonly requests: readonly TaskRequest[]
  readonly presets: readonly Preset[]
  /** Length of the source as this device or the server measured it; null while unknown. */
  readonly durationMs: number | null
  /** They make a delivered edit again, at half price. */
  readonly isRedo?: boolean
  readonly onChange: () => void
}

/**
 * The requested edits with their options and prices, and the way back to the formats until
 * something is paid (JOB-03).
 */
export function ChosenEdits({
  requests,
  presets,
  durationMs,
  isRedo = false,
  onChange,
}: ChosenEditsProps) {
  const items = requests.map((request) => {
    const preset = presets.find((candidate) => candidate.slug === request.mediaJobTaskPresetSlug)
    return {
      request,
      preset,
      price: preset === undefined ? null : priceOfOne(preset, durationMs, isRedo),
    }
  })
  const total = priceTotal(items.map((item) => item.price ?? { kind: 'unknown' }))
  return (
    <Card as="section" labelledBy="chosen-edits">
      <h2 id="chosen-edits" className="text-lg font-semibold">
        Requested edits
      </h2>
      <ul className="mt-4 flex flex-col gap-3">
        {items.map(({ request, preset, price }) => {
          const options = optionsWords(request, durationMs)
          return (
            <li key={request.mediaJobTaskPresetSlug} className="flex items-center gap-3">
              {preset === undefined ? null : (
                <img
                  src={preset.imageUrl}
                  alt=""
                  width={64}
                  height={36}
                  className="h-9 w-16 shrink-0 rounded-lg bg-surface-sunken object-cover"
                />
              )}
              <span className="min-w-0">
                <span className="block leading-snug font-medium">
                  {editName(request.mediaJobTaskPresetSlug, presets)}
                </span>
                {options === null ? null : (
                  <span className="block truncate text-sm text-ink-muted">{options}</span>
                )}
                {price === null ? null : (
                  <span className="block text-sm text-ink-muted tabular-nums">
                    {priceWords(price)}
                  </span>
                )}
              </span>
            </li>
          )
        })}
      </ul>
      {presets.length === 0 ? null : <Total total={total} />}
      <Button variant="secondary" onPress={onChange} className="mt-5 w-full">
        Change Requested Edits
      </Button>
    </Card>
  )
}

function Total({ total }: { readonly total: PriceTotal }) {
  return (
    <p className="mt-4 flex justify-between gap-4 border-t border-line pt-4 font-semibold tabular-nums">
      <span>Total</span>
      <span>{`${total.isComplete ? '' : 'from '}${tokens(total.coinAmount)}`}</span>
    </p>
  )
}

function priceOfOne(preset: Preset, durationMs: number | null, isRedo: boolean): EditPrice {
  const price = editPrice(preset.pricingStrategies, durationMs)
  return isRedo ? redoPrice(price) : price
}
