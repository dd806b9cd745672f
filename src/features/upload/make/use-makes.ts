import { useState } from 'react'
import { isFileRefused } from '#src/components/upload-words/actions.ts'
import { useMadeEdits, useMaking, type MadeFileRow } from '#src/hooks/edits/use-made-edits.ts'
import { useMakeRight } from './use-make-right.ts'
import { useMakeRungs } from './use-make-rungs.ts'
import { useIsBarred } from './use-is-barred.ts'
import { useIsAway, type PreviewSource } from '#src/hooks/previews/use-preview-video.ts'
import type { Preset } from '#src/hooks/edits/use-presets.ts'
import { useMe } from '#src/hooks/account/use-profile.ts'
import { useUpload, useUploadByRequestId } from '#src/hooks/uploads/use-upload.ts'
import type { UploadRow } from '#src/local/db/rows.ts'
import { plainRequest, typicalRequest, type TaskRequest } from '#src/local/edits/task-requests.ts'
import type { MakeRung } from '#src/local/made/make.ts'
import { isOfUpload, type Making } from '#src/local/made/making.ts'
import type { MakeRight } from '#src/local/made/rights.ts'
import type { PreviewVideo } from '#src/local/previews/preview.ts'
import { requestOf } from '#src/features/upload/formats/selection.ts'

/** What the dialog is about. */
export type MakeSubject =
  /** An edit that needs options before it is made. */
  | { readonly kind: 'options'; readonly preset: Preset; readonly againId: string | null }
  /** An edit that is about to be made; `againId` is the device edit whose place it takes. */
  | {
      readonly kind: 'wish'
      readonly name: string
      readonly request: TaskRequest
      readonly againId: string | null
    }
  /** One that is being made, or was. */
  | { readonly kind: 'made'; readonly id: string; readonly name: string }

/** What this device can make of a video, and what it has made. */
export interface Makes {
  /** Null where this device does not have its file any more. */
  readonly video: PreviewVideo | null
  readonly upload: UploadRow
  readonly right: MakeRight | null
  /** Asks the server for the plan. */
  readonly askForPlan: () => void
  readonly isSubscribed: boolean
  /**
   * As it is chosen, else by the most common options; null while it is not known, and without the
   * video.
   */
  rungOf(preset: Preset): MakeRung | null
  /** The newest device edit of this format and video; null for none. */
  rowOf(preset: Preset): MadeFileRow | null
  readonly making: Making | null
  /** Opens the dialog of a new device edit, or of one that takes the place of another. */
  wish(preset: Preset, againId: string | null): void
  readonly subject: MakeSubject | null
  readonly setSubject: (subject: MakeSubject | null) => void
}

/**
 * Null where nothing is made here: this device does not have the upload, or the video was refused
 * or is held.
 * @param uploadRequestId of the upload whose edits are chosen; null while there is none
 */
export function useMakes(
  source: PreviewSource | null,
  uploadRequestId: string | null,
  presets: readonly Preset[],
  requests: readonly TaskRequest[],
): Makes | null {
  const shown = source?.kind === 'video' ? source.video : null
  const ofShown = useUpload(shown?.uploadId ?? null)
  const ofPage = useUploadByRequestId(uploadRequestId) ?? null
  const upload = ofShown ?? (isUnchecked(source) ? null : ofPage)
  const isAway = useIsAway(shown, upload?.state.kind)
  // A file that was chosen for previews alone belongs to no upload of this device.
  const video = ofShown == null || isAway ? null : shown
  const isBarredThere = useIsBarred(upload?.uploadRequestId ?? null)
  const isBarred = upload === null || isBarredThere || isFileRefused(upload.state)
  const requestFor = ({ slug }: Preset) => requestOf(requests, slug) ?? plainRequest(slug)
  const askedFor = (preset: Preset) => requestFor(preset) ?? typicalRequest(preset.slug)
  const asked = presets.flatMap((preset) => askedFor(preset) ?? [])
  const rungFor = useMakeRungs(isBarred ? null : video, asked)
  const { right, ask } = useMakeRight()
  const isSubscribed = useMe().data?.flags.hasActiveSubscription === true
  const made = useMadeEdits()
  const making = useMaking()
  const [subject, setSubject] = useState<MakeSubject | null>(null)
  if (ofShown === undefined || upload === null || isBarred) return null
  const rows = made.kind === 'ready' ? made.value : []
  const rungOf = (preset: Preset) => {
    const request = askedFor(preset)
    return request === null ? null : rungFor(request)
  }
  const rowOf = ({ slug }: Preset) =>
    rows.find((row) => row.slug === slug && isOfUpload(row, upload)) ?? null
  return {
    video,
    upload,
    right,
    askForPlan: ask,
    isSubscribed,
    rungOf,
    rowOf,
    making,
    wish: (preset, againId) => {
      const request = requestFor(preset)
      setSubject(
        request === null
          ? { kind: 'options', preset, againId }
          : { kind: 'wish', name: preset.name, request, againId },
      )
    },
    subject,
    setSubject,
  }
}

/** Whether this device could not read the video, so that it never made anything of it. */
function isUnchecked(source: PreviewSource | null): boolean {
  return source?.kind === 'none' && source.why === 'unchecked'
}
