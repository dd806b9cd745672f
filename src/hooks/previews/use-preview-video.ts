import { useEffect, useEffectEvent, useState } from 'react'
import { useAccount, useLocal } from '#src/hooks/device/local-context.ts'
import { useTakenSound, type TakenSound } from '#src/hooks/uploads/use-upload-sounds.ts'
import { useUploadsContext } from '#src/hooks/uploads/uploads-context.ts'
import { ok } from '#src/lib/result.ts'
import type { UploadRow } from '#src/local/db/rows.ts'
import {
  sourceProbeOf,
  type FootageRefusal,
  type PreviewVideo,
  type ServedUpload,
} from '#src/local/previews/preview.ts'
import type { Finding, ProbeReport } from '#src/local/probe/report.ts'
import { namingSound, withSound } from '#src/local/probe/with-sound.ts'
import { openUpload } from '#src/local/uploads/page/open-upload.ts'

/** What previews are made of: the file of this device, or what the server can show of it. */
export type PreviewFootage =
  | {
      readonly kind: 'video'
      readonly video: PreviewVideo
      /** Its upload, once the server has checked it; for what no device shows. */
      readonly served: ServedUpload | null
    }
  | {
      readonly kind: 'served'
      readonly upload: ServedUpload
      /** Takes the file for previews, as long as the page stands; null where it was taken. */
      readonly chooseAgain: (file: File) => Promise<FootageRefusal | null>
    }

/**
 * Whether previews can be made at all. `not-here`: this device does not have the video, or not any
 * more; `unchecked`: it could not read what the video is.
 */
export type PreviewSource =
  | PreviewFootage
  | { readonly kind: 'none'; readonly why: 'not-here' | 'unchecked' }

/** A file that was just chosen, before any of it is sent. */
export function previewChosen(
  file: File,
  uploadId: string,
  report: ProbeReport | null,
): PreviewSource {
  return sourceOf(
    { report, name: file.name, arrived: [], sound: null, served: null },
    (source) => ({
      uploadId,
      source,
      open: async () => ok(file),
    }),
  )
}

/**
 * The video of an upload, wherever this device has its bytes: in memory, as a copy, or by its
 * handle. Where it has them no more, what the server shows, until the file is chosen again.
 * @param served null while the server has no checked video of it
 */
export function usePreviewSource(
  row: UploadRow | null,
  served: ServedUpload | null = null,
): PreviewSource {
  const { bridge } = useUploadsContext()
  const db = useAccount()?.db ?? null
  const sound = useTakenSound(row?.uploadRequestId ?? served?.uploadRequestId ?? null)
  const { again, chooseAgain } = useChosenAgain(served)
  const stored: PreviewSource =
    row === null || db === null
      ? { kind: 'none', why: 'not-here' }
      : sourceOf(
          {
            report: row.probe,
            name: row.file.name,
            arrived: row.arrivalFindings ?? [],
            sound,
            served,
          },
          (source) => ({
            uploadId: row.id,
            source,
            open: () => openUpload(db, row, bridge.heldFile(row.id)),
          }),
        )
  const isAway = useIsAway(
    served !== null && stored.kind === 'video' ? stored.video : null,
    row?.state.kind,
  )
  if (served === null || (stored.kind === 'video' && !isAway)) return stored
  if (again === null) return { kind: 'served', upload: served, chooseAgain }
  const { file, report } = again
  return sourceOf({ report, name: file.name, arrived: [], sound, served }, (source) => ({
    uploadId: served.uploadRequestId,
    source,
    open: async () => ok(file),
  }))
}

interface KnownOfFile {
  readonly report: ProbeReport | null
  readonly name: string
  readonly arrived: readonly Finding[]
  /** The sound that edits use, where there are several. */
  readonly sound: TakenSound | null
  readonly served: ServedUpload | null
}

function sourceOf(
  { report, name, arrived, sound, served }: KnownOfFile,
  videoOf: (source: PreviewVideo['source']) => PreviewVideo,
): PreviewSource {
  const source =
    sound === null || report === null
      ? sourceProbeOf(report, name, arrived)
      : sourceProbeOf(withSound(report, sound.number - 1), name, namingSound(arrived, sound.number))
  return source === null
    ? { kind: 'none', why: 'unchecked' }
    : { kind: 'video', video: videoOf(source), served }
}

/**
 * Whether the bytes are gone from this device; those that need a permission are not.
 * @param state of its upload, which changes where the file was chosen again
 */
export function useIsAway(video: PreviewVideo | null, state?: UploadRow['state']['kind']): boolean {
  const [awayId, setAwayId] = useState<string | null>(null)
  const id = video?.uploadId ?? null
  // New at each render; the id says when it is another one.
  const open = useEffectEvent(async () => video?.open())
  useEffect(() => {
    if (id === null) return undefined
    let isLeft = false
    void open().then((opened) => {
      const isAway =
        opened !== undefined && !opened.ok && opened.error.code !== 'preview/needs-permission'
      if (!isLeft) setAwayId(isAway ? id : null)
    })
    return () => {
      isLeft = true
    }
  }, [id, state])
  return id !== null && awayId === id
}

interface ChosenAgain {
  readonly of: string
  readonly file: File
  readonly report: ProbeReport
}

function useChosenAgain(served: ServedUpload | null) {
  const { media } = useUploadsContext()
  const { ids } = useLocal()
  const [chosen, setChosen] = useState<ChosenAgain | null>(null)
  const chooseAgain = async (file: File): Promise<FootageRefusal | null> => {
    if (served === null || file.size !== served.sizeBytes) return 'differs'
    const made = await media.probe(file, { id: ids.uuid() })
    if (!made.ok || sourceProbeOf(made.value, file.name) === null) return 'unreadable'
    setChosen({ of: served.uploadRequestId, file, report: made.value })
    return null
  }
  return { again: chosen?.of === served?.uploadRequestId ? chosen : null, chooseAgain }
}
