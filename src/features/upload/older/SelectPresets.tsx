import { useNavigate } from 'react-router'
import { optionsWords } from '#src/components/options/forms.tsx'
import { PullFailure } from '#src/components/help/PullFailure.tsx'
import { priceWords } from '#src/components/tokens/token-words.ts'
import { usePresets, type Preset } from '#src/hooks/edits/use-presets.ts'
import { useWalletTotal } from '#src/hooks/pay/use-wallets.ts'
import { editPrice, priceTotal } from '#src/local/edits/price.ts'
import type { TaskRequest } from '#src/local/edits/task-requests.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { Skeleton } from '#src/ui/Skeleton.tsx'
import { flatWords } from '#src/components/order/immersive-words.ts'
import { offeredPresets } from '#src/features/upload/formats/offered-presets.ts'
import { isChosen, requestOf } from '#src/features/upload/formats/selection.ts'
import { SummaryBar } from '#src/features/upload/formats/SummaryBar.tsx'
import {
  obstacleTo,
  unfitEdits,
  unmetNeeds,
  type KnownVideo,
} from '#src/features/upload/formats/unmet-needs.ts'
import { useSavedSelection } from '#src/features/upload/formats/use-saved-selection.ts'
import { useSubmit } from '#src/features/upload/formats/use-submit.ts'
import type { VideoToEdit } from '#src/features/upload/formats/use-video-to-edit.ts'
import { optionsPath } from './options-path.ts'
import { PresetChoice } from './PresetChoice.tsx'

export interface SelectPresetsProps {
  readonly uploadRequestId: string
  readonly subject: VideoToEdit
  readonly initial: readonly TaskRequest[]
  readonly onSent: (submissionId: string) => void
}

/** The grid of formats that this server offers, and the button that sends the choice. */
export function SelectPresets({ uploadRequestId, subject, initial, onSent }: SelectPresetsProps) {
  const presets = usePresets()
  const spendable = useWalletTotal()
  const [selection, onEvent] = useSavedSelection(uploadRequestId, initial)
  const { submit, isSending, attestation } = useSubmit({
    uploadId: subject.row?.id ?? null,
    uploadRequestId,
    onSubmitted: onSent,
  })
  const navigate = useNavigate()
  if (presets.data === null)
    return presets.failure === null ? (
      <Skeleton className="h-96" />
    ) : (
      <PullFailure pull={presets} title="Unable to fetch media job task presets" />
    )
  const offered = offeredPresets(presets.data)
  if (offered.length === 0)
    return (
      <EmptyState title="No media job task presets found.">
        This server offers no formats at the moment.
      </EmptyState>
    )
  // A preset that was chosen earlier and is no longer offered cannot be ordered.
  const requests = selection.requests.filter(({ mediaJobTaskPresetSlug }) =>
    offered.some(({ slug }) => slug === mediaJobTaskPresetSlug),
  )
  const chosen = offered.filter(({ slug }) => isChosen(requests, slug))
  const toggle = ({ slug }: Preset) => {
    const path = optionsPath(slug, uploadRequestId)
    if (path === null || isChosen(requests, slug)) onEvent({ kind: 'press', slug })
    else void navigate(path)
  }
  return (
    <>
      <Choices
        presets={offered}
        requests={requests}
        uploadRequestId={uploadRequestId}
        video={subject.video}
        onToggle={toggle}
      />
      <SummaryBar
        submitText="Send for Editing"
        requests={requests}
        total={priceTotal(
          chosen.map((preset) => editPrice(preset.pricingStrategies, subject.video.durationMs)),
        )}
        spendableCoinAmount={spendable}
        isBusy={isSending}
        isRefused={subject.isRefused}
        unmet={unmetNeeds(chosen, subject.video)}
        unfit={unfitEdits(requests, chosen, subject.video)}
        attestation={attestation}
        onSubmit={() => void submit(requests)}
      />
    </>
  )
}

interface ChoicesProps {
  readonly presets: readonly Preset[]
  readonly requests: readonly TaskRequest[]
  readonly uploadRequestId: string
  readonly video: KnownVideo
  readonly onToggle: (preset: Preset) => void
}

/** The grid of formats, each with its price for this video. */
function Choices({ presets, requests, uploadRequestId, video, onToggle }: ChoicesProps) {
  return (
    <ul className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3 xl:grid-cols-4">
      {presets.map((preset) => (
        <PresetChoice
          key={preset.slug}
          preset={preset}
          price={priceWords(editPrice(preset.pricingStrategies, video.durationMs))}
          isChosen={isChosen(requests, preset.slug)}
          options={chosenOptions(requests, preset, uploadRequestId, video)}
          obstacle={obstacleTo(preset, video, requestOf(requests, preset.slug))}
          caution={flatWords(preset.slug, video.immersive)}
          onToggle={() => onToggle(preset)}
        />
      ))}
    </ul>
  )
}

/** The options of a chosen format in words, with the page that changes them. */
function chosenOptions(
  requests: readonly TaskRequest[],
  { slug }: Preset,
  uploadRequestId: string,
  { durationMs }: KnownVideo,
): { readonly words: string; readonly path: string } | null {
  const request = requests.find(({ mediaJobTaskPresetSlug }) => mediaJobTaskPresetSlug === slug)
  const words = request === undefined ? null : optionsWords(request, durationMs)
  const path = optionsPath(slug, uploadRequestId)
  return words === null || path === null ? null : { words, path }
}
