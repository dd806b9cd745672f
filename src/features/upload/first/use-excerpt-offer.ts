import { useQuery } from '@tanstack/react-query'
import { useAccount } from '#src/hooks/device/local-context.ts'
import { useExcerptsOf } from '#src/hooks/uploads/use-excerpts-of.ts'
import { usePresets, type Preset } from '#src/hooks/edits/use-presets.ts'
import { useUploadProgress } from '#src/hooks/uploads/use-upload.ts'
import { useTakenSound } from '#src/hooks/uploads/use-upload-sounds.ts'
import { err, ok, type Result } from '#src/lib/result.ts'
import { SECOND_MS } from '#src/lib/time.ts'
import type { UploadRow } from '#src/local/db/rows.ts'
import { isBroken, isSending } from '#src/local/db/upload-states.ts'
import {
  earlyEdits,
  excerptNeed,
  notHeld,
  type EarlyEdit,
  type ExcerptNeed,
} from '#src/local/edits/excerpt-stretches.ts'
import { editPrice } from '#src/local/edits/price.ts'
import type { TaskRequest } from '#src/local/edits/task-requests.ts'
import { sourceProbeOf } from '#src/local/previews/preview.ts'
import { heldBy, shownExcerpt } from '#src/local/uploads/page/excerpt-rows.ts'
import type { Excerpts, NoPart } from '#src/local/uploads/page/send-excerpt.ts'

/** What can be sent first, so that some edits are made long before their video has arrived. */
export interface ExcerptOffer extends ExcerptNeed {
  readonly sizeBytes: number
  /** All edits that can be made of excerpts, also those that one holds already. */
  readonly edits: readonly EarlyEdit[]
  /** The excerpts that there are, by their ids. */
  readonly present: readonly string[]
}

/**
 * Why nothing is sent first: of this file, or of a video with several sounds none of which was
 * chosen, or after an excerpt that the server did not take.
 */
export interface NoOffer {
  readonly code:
    | Exclude<NoPart['code'], 'excerpt/unreadable' | 'excerpt/too-large'>
    | 'excerpt/several-sounds'
    | 'excerpt/refused'
}

/** Less is not worth the bytes that are sent twice. */
const WORTH_MS = 3 * 60 * SECOND_MS

/**
 * What of an upload that is on its way can be sent first for these edits, beside what is sent first
 * already, or why that is not possible. Null where there is nothing, where it would save less than
 * three minutes on this line, and while that is not known.
 */
export function useExcerptOffer(
  excerpts: Excerpts,
  row: UploadRow | null,
  requests: readonly TaskRequest[],
): Result<ExcerptOffer, NoOffer> | null {
  const userId = useAccount()?.userId ?? null
  const presets = usePresets().data
  const live = useExcerptsOf(row?.id ?? null)
  const present = live.kind === 'ready' ? live.value : null
  const line = useLine(row, present)
  const sound = useTakenSound(row?.uploadRequestId ?? null)
  const edits = row === null || presets === null ? [] : editsOf(row, requests, presets)
  const need = present === null ? null : excerptNeed(notHeld(edits, present.map(heldBy)))
  const ids = present?.map(({ id }) => id) ?? []
  const weighed = useQuery({
    queryKey: ['excerpt', userId, row?.id ?? null, need?.stretches ?? null, ids],
    enabled: row !== null && need !== null && line.isSending,
    staleTime: Infinity,
    queryFn: async () =>
      row === null || need === null ? null : await excerpts.weigh(row.id, need.stretches),
  }).data
  if (row === null || need === null || present === null || !weighed) return null
  const sizeBytes = weighed.ok ? weighed.value.sizeBytes : guessedBytes(row, need)
  const savedBytes = row.file.sizeBytes - line.safeBytes - sizeBytes
  const isWorth = savedBytes * SECOND_MS > WORTH_MS * line.bytesPerSecond
  if (!isWorth || line.bytesPerSecond === 0) return null
  if (!weighed.ok) return sayable(weighed.error)
  if (present.some(({ state }) => isBroken(state.kind))) return err({ code: 'excerpt/refused' })
  if (weighed.value.hasSeveralSounds && sound === null)
    return err({ code: 'excerpt/several-sounds' })
  return ok({ ...need, sizeBytes, edits, present: ids })
}

/** What these stretches would take of a file whose index is not known. */
function guessedBytes({ file, probe }: UploadRow, { stretches }: ExcerptNeed): number {
  const readMs = stretches.reduce((sum, { startMs, endMs }) => sum + endMs - startMs + AROUND_MS, 0)
  return file.sizeBytes * Math.min(1, readMs / (probe?.durationMs ?? readMs))
}

/** Around a stretch: what comes from the key before it, and what is read behind it. */
const AROUND_MS = 2 * SECOND_MS

/** Null where the upload itself says what is wrong, and where nothing would be gained. */
function sayable({ code }: NoPart): Result<never, NoOffer> | null {
  return code === 'excerpt/unreadable' || code === 'excerpt/too-large' ? null : err({ code })
}

interface Line {
  readonly isSending: boolean
  readonly safeBytes: number
  readonly bytesPerSecond: number
}

/** How fast an upload is sent; while it stands back for an excerpt, by that one. */
function useLine(row: UploadRow | null, present: readonly UploadRow[] | null): Line {
  const progress = useUploadProgress(row?.id ?? null)
  const first = shownExcerpt(present ?? [])
  const isFirst = first !== null && isSending(first.state.kind)
  const ofFirst = useUploadProgress(isFirst ? first.id : null)
  return {
    isSending: row !== null && (isSending(row.state.kind) || isFirst),
    safeBytes: Math.max(row?.safeBytes ?? 0, progress?.safeBytes ?? 0),
    bytesPerSecond: ofFirst?.bytesPerSecond ?? progress?.bytesPerSecond ?? 0,
  }
}

function editsOf(
  { probe, file, arrivalFindings }: UploadRow,
  requests: readonly TaskRequest[],
  presets: readonly Preset[],
): readonly EarlyEdit[] {
  const source = sourceProbeOf(probe, file.name, arrivalFindings ?? [])
  const hasFixedPrice = (slug: string): boolean => {
    const preset = presets.find((each) => each.slug === slug)
    return preset !== undefined && editPrice(preset.pricingStrategies, null).kind === 'fixed'
  }
  return source === null ? [] : earlyEdits(requests, source, hasFixedPrice)
}
