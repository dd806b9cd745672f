import { useState } from 'react'
import { useNavigate } from 'react-router'
import { refuseAsset } from '#checks/asset-limits.ts'
import { assetKindOf, type AssetKind } from '#src/components/assets/asset-types.ts'
import { chooseRefusalCopy } from '#src/components/upload-words/failure-copy.ts'
import { createMediaAssetPath } from '#src/config/paths.ts'
import { useAssetRoom } from '#src/hooks/assets/use-media-assets.ts'
import { useUploadCommands } from '#src/hooks/uploads/use-upload-commands.ts'
import type { ChosenFile } from '#src/ui/dropped-files.ts'
import { useToasts } from '#src/ui/toasts-context.ts'
import { roomRefusal, type Refusal } from './asset-room.ts'
import { measureFile } from './measure-file.ts'

/** The state of one choice of a file for an asset. A good one leads to the next page. */
export type AssetChoice =
  | { readonly kind: 'none' }
  | { readonly kind: 'checking'; readonly name: string }
  | {
      readonly kind: 'refused'
      readonly name: string
      readonly title: string
      readonly body: string | null
    }

const SEVERAL: Refusal = {
  title: 'Upload one asset at a time',
  body: 'Please choose a single file. You can upload the next one right afterward.',
}
const WRONG_TYPE: Refusal = {
  title: 'Invalid file type',
  body: 'Please choose a video, a picture (JPG, PNG, WebP) or a sound. SVG files are not accepted.',
}
const NOT_STARTED: Refusal = {
  title: 'File upload failed',
  body: 'The upload could not start in this browser. Nothing was sent. Please try again.',
}

/**
 * From a dropped or chosen file to a running upload of an asset (AST-01): one file, of a kind that
 * edits can use, within the limits as far as this device can tell.
 * @param forPath the form that waits for the asset; null for none
 */
export function useChooseAsset(forPath: string | null) {
  const commands = useUploadCommands()
  const toasts = useToasts()
  const navigate = useNavigate()
  const room = useAssetRoom()
  const [choice, setChoice] = useState<AssetChoice>({ kind: 'none' })

  const refuse = (name: string, { title, body }: Refusal) => {
    toasts.show('error', title)
    setChoice({ kind: 'refused', name, title, body })
  }
  const begin = async ({ file, handle }: ChosenFile, kind: AssetKind) => {
    setChoice({ kind: 'checking', name: file.name })
    const measured = await measureFile(file, kind)
    const tooMuch = refuseAsset(measured)
    if (tooMuch !== null) return refuse(file.name, { title: tooMuch.message, body: NOTHING_SENT })
    const chosen = await commands.choose(file, handle, { purpose: 'media-asset' })
    if (!chosen.ok)
      return refuse(file.name, chooseRefusalCopy(chosen.error, { purpose: 'media-asset', file }))
    const { uploadId, report } = chosen.value
    const tooLong = refuseAsset({ ...measured, durationMs: report?.durationMs ?? 0 })
    if (kind === 'video' && tooLong !== null) {
      await commands.discard(uploadId)
      return refuse(file.name, { title: tooLong.message, body: NOTHING_SENT })
    }
    if (kind === 'video')
      void commands
        .poster(file)
        .then((made) => (made.ok ? commands.keepPoster(uploadId, made.value) : undefined))
    const started = await commands.start(uploadId, file)
    if (!started.ok) return refuse(file.name, NOT_STARTED)
    await navigate(createMediaAssetPath({ uploadId, forPath }))
  }
  return {
    choice,
    choose: ([first, ...others]: readonly ChosenFile[]) => {
      if (first === undefined) return
      const { file } = first
      const kind = assetKindOf(file)
      const noRoom = roomRefusal(room, file.size)
      if (others.length > 0) refuse(file.name, SEVERAL)
      else if (kind === null) refuse(file.name, WRONG_TYPE)
      else if (noRoom !== null) refuse(file.name, noRoom)
      else void begin(first, kind)
    },
    reset: () => setChoice({ kind: 'none' }),
  }
}

const NOTHING_SENT = 'Nothing was sent.'
