import { useState } from 'react'
import { hasOptionsForm, OptionsDialog } from '#src/components/OptionsDialog.tsx'
import { optionsWords } from '#src/components/options-words.ts'
import { PresetCard } from '#src/components/PresetCard.tsx'
import { priceWords } from '#src/components/token-words.ts'
import type { Preset } from '#src/hooks/use-presets.ts'
import { editPrice } from '#src/local/edits/price.ts'
import { plainRequest } from '#src/local/edits/task-requests.ts'
import { Tabs } from '#src/ui/Tabs.tsx'
import { isChosen, type Selection, type SelectionEvent } from './selection.ts'

const TABS = [{ id: 'promotional', label: 'Promotional Edits' }, { id: 'full-scene', label: 'Full Scene Edits' }] as const

export interface FormatPickerProps {
  /** Only what this server offers. */
  readonly presets: readonly Preset[]
  /** Probed length of the source; null while unknown. */
  readonly durationMs: number | null
  readonly selection: Selection
  /** Null while there is nothing to choose for: a preview. */
  readonly onEvent: ((event: SelectionEvent) => void) | null
  readonly isNarrow?: boolean
}

/** What this server can make and this app can ask the options of. */
export function offeredPresets(presets: readonly Preset[]): readonly Preset[] {
  return presets.filter((preset) => preset.isOffered && (plainRequest(preset.slug) !== null || hasOptionsForm(preset.slug)))
}

/** The formats in their two tabs, each counting what is chosen in it; a tab without any says so. */
export function FormatPicker({ presets, durationMs, selection, onEvent, isNarrow = false }: FormatPickerProps) {
  const [tabId, setTabId] = useState<string>('promotional')
  const asked = presets.find((preset) => preset.slug === selection.optionsOf)
  const requestOf = (slug: string) => selection.requests.find((request) => request.mediaJobTaskPresetSlug === slug) ?? null
  const card = (preset: Preset) => {
    const request = requestOf(preset.slug)
    const options = request === null ? null : optionsWords(request)
    return (
      <li key={preset.slug} className="grid">
        <PresetCard
          preset={preset}
          price={priceWords(editPrice(preset.pricingStrategies, durationMs))}
          isChosen={request !== null}
          options={options}
          isReadOnly={onEvent === null}
          onPress={() => onEvent?.({ kind: 'press', slug: preset.slug })}
          onChangeOptions={() => onEvent?.({ kind: 'change', slug: preset.slug })}
        />
      </li>
    )
  }
  return (
    <>
      <Tabs
        label="Formats"
        selectedId={tabId}
        onSelect={setTabId}
        items={TABS.map((tab) => {
          const inTab = presets.filter((preset) => preset.tab === tab.id)
          return {
            id: tab.id,
            label: tab.label,
            badge: inTab.filter((preset) => isChosen(selection.requests, preset.slug)).length,
            badgeLabel: 'chosen',
            content: inTab.length === 0
              ? <p className="rounded-card border border-dashed border-line-strong px-6 py-12 text-center text-ink-muted">{`This server makes no ${tab.label.toLowerCase()} yet.`}</p>
              : <ul className={isNarrow ? 'grid gap-4 sm:grid-cols-2' : 'grid gap-4 sm:grid-cols-2 lg:grid-cols-3'}>{inTab.map(card)}</ul>,
          }
        })}
      />
      {onEvent === null ? null : (
        <OptionsDialog
          slug={asked?.slug ?? null}
          name={asked?.name ?? ''}
          initial={asked === undefined ? null : requestOf(asked.slug)}
          sourceDurationMs={durationMs}
          onApply={(request) => onEvent({ kind: 'apply', request })}
          onClose={() => onEvent({ kind: 'close' })}
        />
      )}
    </>
  )
}
