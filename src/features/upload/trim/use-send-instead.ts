import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { paths } from '#src/config/paths.ts'
import { useAccount } from '#src/hooks/device/local-context.ts'
import { useSaveSelection, useSelection } from '#src/hooks/edits/use-selection.ts'
import { useUpload } from '#src/hooks/uploads/use-upload.ts'
import { useUploadCommands } from '#src/hooks/uploads/use-upload-commands.ts'
import { isBroken } from '#src/local/db/upload-states.ts'
import type { UploadRow } from '#src/local/db/rows.ts'
import type { Trim } from '#src/local/uploads/page/trim.ts'
import { ofAnyVideo } from '#src/features/upload/formats/fit-requests.ts'
import { useRememberVideo, type CuttableVideo } from './use-trim-places.ts'
import { trimRefusalWords } from './refusal-words.ts'

const NOT_BEGUN = 'The upload could not start in this browser. What is sent has not changed.'

/**
 * Sends another stretch of a video in the place of an upload that is on its way: as an upload of
 * its own, because what the server has begun with is final. The one before goes on until the server
 * knows the new one, and is discarded then; the screen follows with the edits that are chosen.
 * @returns why it stays as it is, in words; else nothing before the screen has gone on
 */
export function useSendInstead(
  row: UploadRow,
): (video: CuttableVideo, trim: Trim | null) => Promise<string | null> {
  const commands = useUploadCommands()
  const remember = useRememberVideo()
  const db = useAccount()?.db ?? null
  const [nextId, setNextId] = useState<string | null>(null)
  const refuse = useRef<(words: string) => void>(() => undefined)
  useFollow(row, nextId, () => {
    setNextId(null)
    refuse.current(NOT_BEGUN)
  })
  const draft = async (
    file: File,
    trim: Trim | null,
  ): Promise<string | { readonly id: string }> => {
    const handle = (await db?.handles.get(row.id))?.handle ?? null
    const chosen = await commands.choose(file, handle)
    if (!chosen.ok) return trimRefusalWords(chosen.error, file)
    const id = chosen.value.uploadId
    const cut = trim === null ? null : await commands.setTrim(id, file, trim)
    if (cut !== null && !cut.ok) {
      await commands.discard(id)
      return trimRefusalWords(cut.error, file)
    }
    // A trim keeps its own.
    const poster = cut === null ? await commands.poster(file) : null
    if (poster?.ok === true) await commands.keepPoster(id, poster.value)
    return { id }
  }
  return async (video, trim) => {
    const { file } = video
    const made = await draft(file, trim)
    if (typeof made === 'string') return made
    remember(made.id, video)
    const started = await commands.start(made.id, file)
    if (!started.ok) {
      await commands.discard(made.id)
      return NOT_BEGUN
    }
    setNextId(made.id)
    return new Promise((resolve) => {
      refuse.current = resolve
    })
  }
}

/** Leads to the upload that takes the place of another one, once the server knows it. */
function useFollow(row: UploadRow, nextId: string | null, onBroken: () => void): void {
  const commands = useUploadCommands()
  const navigate = useNavigate()
  const next = useUpload(nextId)
  const nextRequestId = next?.uploadRequestId ?? null
  const chosen = useSelection(row.uploadRequestId ?? '')
  const save = useSaveSelection(nextRequestId ?? '')
  const follow = useEffectEvent(async (requestId: string) => {
    const requests = chosen.kind === 'ready' ? (chosen.value ?? []) : []
    // Moments are places of what was sent. Best effort: without the choice it leads on too.
    if (requests.length > 0) await save(requests.map(ofAnyVideo)).catch(() => undefined)
    await navigate(paths.newMediaJob(requestId), { replace: true })
    await commands.discard(row.id)
  })
  const giveUp = useEffectEvent(async (id: string) => {
    await commands.discard(id)
    onBroken()
  })
  const brokenId = next != null && isBroken(next.state.kind) ? next.id : null
  useEffect(() => {
    if (nextRequestId !== null) void follow(nextRequestId)
  }, [nextRequestId])
  useEffect(() => {
    if (brokenId !== null) void giveUp(brokenId)
  }, [brokenId])
}
