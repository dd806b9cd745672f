import { useEffect, useEffectEvent, useState } from 'react'
import { useFormPath } from '#src/components/assets/for-path.ts'
import { optionsWords } from '#src/components/options/forms.tsx'
import { flatWords } from '#src/components/order/immersive-words.ts'
import { PresetCard } from './PresetCard.tsx'
import { priceWords } from '#src/components/tokens/token-words.ts'
import type { ExistingEdit } from '#src/local/edits/again.ts'
import type { PreviewSource } from '#src/hooks/previews/use-preview-video.ts'
import { useOptionsDraft } from '#src/hooks/edits/use-options-draft.ts'
import type { Preset } from '#src/hooks/edits/use-presets.ts'
import { editPrice } from '#src/local/edits/price.ts'
import { takesMoments } from '#src/local/edits/moment-boards.ts'
import { plainRequest, type PresetSlug, type TaskRequest } from '#src/local/edits/task-requests.ts'
import { hasPreview } from '#src/local/previews/has-preview.ts'
import { classNames } from '#src/ui/class-names.ts'
import { Tabs } from '#src/ui/Tabs.tsx'
import { MakeDialog } from '#src/features/upload/make/MakeDialog.tsx'
import { MakeNow } from '#src/features/upload/make/MakeNow.tsx'
import { useMakes, type Makes } from '#src/features/upload/make/use-makes.ts'
import { EditDialogs } from './EditDialogs.tsx'
import { isChosen, requestOf, type Selection, type SelectionEvent } from './selection.ts'
import { obstacleTo, type KnownVideo } from './unmet-needs.ts'

const TABS = [
  { id: 'promotional', label: 'Promotional Edits' },
  { id: 'full-scene', label: 'Full Scene Edits' },
] as const

export interface FormatPickerProps {
  /** Only the formats that this server offers. */
  readonly presets: readonly Preset[]
  readonly video: KnownVideo
  readonly selection: Selection
  /** Null for a read-only preview, before there is an upload to choose for. */
  readonly onEvent: ((event: SelectionEvent) => void) | null
  readonly isNarrow?: boolean
  /** The edits of this video that are there or at work, by preset. */
  readonly existing?: ReadonlyMap<string, ExistingEdit>
  /** What previews can be made from; null while no video is chosen. */
  readonly previewSource?: PreviewSource | null
  /**
   * Called when a preview, or the dialog of an edit that this device makes, opens or closes, so
   * that the screen does not change under an open one.
   */
  readonly onPreviewing?: (isPreviewing: boolean) => void
  /** The upload that moments can be chosen of; left out while there is none. */
  readonly uploadRequestId?: string
}

/** The formats in their two tabs, with the dialogs for options and previews. */
export function FormatPicker({
  presets,
  video: known,
  selection,
  onEvent,
  isNarrow = false,
  existing = NONE,
  previewSource = null,
  onPreviewing,
  uploadRequestId,
}: FormatPickerProps) {
  const [previewed, setPreviewed] = useState<Preset | null>(null)
  const [boardOf, setBoardOf] = useState<Preset | null>(null)
  const footage = previewSource === null || previewSource.kind === 'none' ? null : previewSource
  const preview = (preset: Preset | null) => {
    setPreviewed(preset)
    onPreviewing?.(preset !== null)
  }
  useOptionsResumed(presets, onEvent)
  const makes = useMakes(previewSource, uploadRequestId ?? null, presets, selection.requests)
  useOpenTold(makes?.subject !== null && makes !== null, onPreviewing)
  return (
    <>
      <PreviewNote source={previewSource} />
      <FormatTabs
        presets={presets}
        known={known}
        requests={selection.requests}
        onEvent={onEvent}
        isNarrow={isNarrow}
        existing={existing}
        onChooseMoments={uploadRequestId === undefined ? null : setBoardOf}
        onPreview={footage === null ? null : preview}
        makes={makes}
      />
      {makes === null ? null : <MakeDialog makes={makes} />}
      <EditDialogs
        presets={presets}
        known={known}
        selection={selection}
        onEvent={onEvent}
        uploadRequestId={uploadRequestId ?? null}
        footage={footage}
        previewed={previewed}
        boardOf={boardOf}
        onEnd={() => {
          setBoardOf(null)
          preview(null)
        }}
      />
    </>
  )
}

/** Why no previews can be made, or only small ones. */
function PreviewNote({ source }: { readonly source: PreviewSource | null }) {
  if (source === null || source.kind === 'video') return null
  const why = source.kind === 'none' ? source.why : source.kind
  return <p className="mb-4 text-sm text-ink-muted">{PREVIEW_NOTES[why]}</p>
}

/** Tells the screen that a dialog opens or closes. */
function useOpenTold(isOpen: boolean, onChange: ((isOpen: boolean) => void) | undefined) {
  const tell = useEffectEvent((now: boolean) => onChange?.(now))
  useEffect(() => {
    if (!isOpen) return undefined
    tell(true)
    return () => tell(false)
  }, [isOpen])
}

/** Opens the options again that were left to upload an asset. */
function useOptionsResumed(presets: readonly Preset[], onEvent: FormatPickerProps['onEvent']) {
  const left = useOptionsDraft(useFormPath())
  const leftSlug = left.kind === 'ready' ? left.value?.slug : undefined
  const slug = presets.find((preset) => preset.slug === leftSlug)?.slug ?? null
  const resume = useEffectEvent((of: PresetSlug) => onEvent?.({ kind: 'change', slug: of }))
  useEffect(() => {
    if (slug !== null) resume(slug)
  }, [slug])
}

interface FormatTabsProps {
  readonly presets: readonly Preset[]
  readonly known: KnownVideo
  readonly requests: readonly TaskRequest[]
  readonly onEvent: ((event: SelectionEvent) => void) | null
  readonly isNarrow: boolean
  readonly existing: ReadonlyMap<string, ExistingEdit>
  /** Null while there is no upload whose moments can be chosen. */
  readonly onChooseMoments: ((preset: Preset) => void) | null
  /** Null where no preview can be made. */
  readonly onPreview: ((preset: Preset) => void) | null
  /** Null where this device makes nothing of the video. */
  readonly makes: Makes | null
}

/** Two tabs, each with a count of what is chosen in it; a tab without formats says so. */
function FormatTabs({ presets, isNarrow, ...cardProps }: FormatTabsProps) {
  const [tabId, setTabId] = useState<string>('promotional')
  const isReadOnly = cardProps.onEvent === null
  const columns = isNarrow ? 'sm:grid-cols-2' : 'sm:grid-cols-2 lg:grid-cols-3'
  return (
    <Tabs
      label="Formats"
      selectedId={tabId}
      onSelect={setTabId}
      items={TABS.map(({ id, label }) => {
        const inTab = presets.filter((preset) => preset.tab === id)
        return {
          id,
          label,
          badge: inTab.filter((preset) => isChosen(cardProps.requests, preset.slug)).length,
          badgeLabel: 'chosen',
          content:
            inTab.length === 0 ? (
              <p className="rounded-card border border-dashed border-line-strong px-6 py-12 text-center text-ink-muted">{`This server does not offer ${label.toLowerCase()} yet.`}</p>
            ) : (
              <ul
                aria-label={label}
                // On phones a row to push: a list that only shows should not be long.
                {...(isReadOnly ? { tabIndex: 0 } : {})}
                className={classNames(
                  'grid gap-4 outline-offset-4',
                  columns,
                  isReadOnly &&
                    'max-sm:auto-cols-[85%] max-sm:grid-flow-col max-sm:overflow-x-auto max-sm:pb-2',
                )}
              >
                {inTab.map((preset) => (
                  <FormatCard key={preset.slug} preset={preset} {...cardProps} />
                ))}
              </ul>
            ),
        }
      })}
    />
  )
}

function FormatCard({
  preset,
  known,
  requests,
  existing,
  onChooseMoments,
  onEvent,
  onPreview,
  makes,
}: Omit<FormatTabsProps, 'presets' | 'isNarrow'> & { readonly preset: Preset }) {
  const request = requestOf(requests, preset.slug)
  const hasBoard = onChooseMoments !== null && takesMoments(preset.slug)
  const hasBoth = hasBoard && plainRequest(preset.slug) === null
  const obstacle = obstacleTo(preset, known, request)
  return (
    <li className="@container grid">
      <PresetCard
        preset={preset}
        price={priceWords(editPrice(preset.pricingStrategies, known.durationMs))}
        obstacle={obstacle}
        caution={flatWords(preset.slug, known.immersive)}
        note={existingWords(existing.get(preset.slug))}
        isChosen={request !== null}
        options={request === null ? null : chosenWords(request, hasBoard, known.durationMs)}
        isReadOnly={onEvent === null}
        onPress={() => onEvent?.({ kind: 'press', slug: preset.slug })}
        onChangeOptions={() => onEvent?.({ kind: 'change', slug: preset.slug })}
        onChooseMoments={hasBoth ? () => onChooseMoments(preset) : undefined}
        onPreview={onPreview === null || !hasPreview(preset.slug) ? null : () => onPreview(preset)}
        make={
          makes === null || obstacle !== null ? null : <MakeNow preset={preset} makes={makes} />
        }
      />
    </li>
  )
}

/** The options of a chosen edit; one that needs none may still have its moments chosen. */
function chosenWords(
  request: TaskRequest,
  hasBoard: boolean,
  durationMs: number | null,
): string | null {
  return optionsWords(request, durationMs) ?? (hasBoard ? 'Best moments' : null)
}

/** That the video has this edit already: it can still be ordered, with other options. */
function existingWords(edit: ExistingEdit | undefined): string | null {
  return edit === undefined ? null : EXISTING[edit]
}

const EXISTING = {
  ready: 'You have this edit of this video.',
  'at-work': 'This edit of this video is being made.',
} as const
const NONE: ReadonlyMap<string, ExistingEdit> = new Map()

const PREVIEW_NOTES = {
  served: 'This device does not have the file of the video, so previews come from the server.',
  // Where it is now is not known: on another device, or nowhere after a log-out on this one.
  'not-here': 'Previews need the file of the video, and this device does not have it.',
  unchecked: 'Previews are not available because this device could not read the video.',
} as const
