import { previewFailureCopy, SERVED_MARK } from '#src/components/problem/preview-copy.ts'
import type { Tiles } from '#src/components/moments/MomentTile.tsx'
import { MovingTile, PlayButton } from '#src/components/moments/MovingTile.tsx'
import { useMomentPlayer, type MomentPlayer } from '#src/components/moments/use-moment-player.ts'
import { PullFailure } from '#src/components/help/PullFailure.tsx'
import { lengthWords } from '#src/lib/time-words.ts'
import { useBlobUrl } from '#src/hooks/previews/use-blob-url.ts'
import type { PreviewFootage } from '#src/hooks/previews/use-preview-video.ts'
import type { PreviewEdit } from '#src/hooks/previews/use-previews.ts'
import { useUploadMoments } from '#src/hooks/moments/use-upload-moments.ts'
import { tileOf, type UploadMoments } from '#src/local/edits/moment-boards.ts'
import { Notice } from '#src/ui/Notice.tsx'
import { Waiting } from '#src/ui/Waiting.tsx'
import { ChooseAgain } from './ChooseAgain.tsx'
import { PreviewTimeline } from './PreviewTimeline.tsx'
import { PreviewMark } from './PreviewStage.tsx'
import { servedShow, type ServedShow } from './served-preview.ts'

interface ServedPreviewProps {
  readonly footage: Extract<PreviewFootage, { kind: 'served' }>
  readonly edit: PreviewEdit
}

/**
 * The passages of an edit from the small video and the pictures of the server, where this device
 * has not got the file.
 */
export function ServedPreview({ footage, edit }: ServedPreviewProps) {
  const { pull, tiles } = useUploadMoments(footage.upload.uploadRequestId)
  const address = useBlobUrl(tiles)
  const found = pull.data
  return (
    <div className="flex flex-col gap-5">
      {found === null ? (
        <>
          <PullFailure pull={pull} title="The preview could not be loaded from the server" />
          {pull.failure === null ? <Waiting>Asking the server for the preview</Waiting> : null}
        </>
      ) : (
        <Shown
          show={servedShow(edit, found)}
          found={found}
          tiles={{ address, pictures: found.pictures }}
        />
      )}
      <ChooseAgain footage={footage} />
    </div>
  )
}

interface ShownProps {
  readonly show: ServedShow
  readonly found: UploadMoments
  readonly tiles: Tiles
}

function Shown({ show, ...of }: ShownProps) {
  switch (show.kind) {
    case 'passages':
      return <Passages {...of} show={show} />
    case 'needs-file':
      return <p>The server has no pictures of this video.</p>
    case 'later':
      return <Waiting>The server is looking at your video. The preview comes here then</Waiting>
    case 'none': {
      const { title, body } = previewFailureCopy(show.failure)
      return <Notice title={title}>{body ?? undefined}</Notice>
    }
  }
}

interface PassagesProps extends Omit<ShownProps, 'show'> {
  readonly show: Extract<ServedShow, { kind: 'passages' }>
}

function Passages({ show: { passages, isOneVideo }, found, tiles }: PassagesProps) {
  const player = useMomentPlayer(found.video)
  return (
    <>
      <figure className="flex flex-col gap-3">
        <ul
          tabIndex={0}
          aria-label={isOneVideo ? 'Moments of the edit' : 'Previews'}
          className="grid grid-cols-2 gap-3 sm:grid-cols-3"
        >
          {passages.map((passage, index) => (
            <Passage
              key={index}
              passage={passage}
              name={passage.name ?? `Moment ${index + 1}`}
              tiles={tiles}
              player={player}
            />
          ))}
        </ul>
        <p className="text-sm">{SERVED_MARK}</p>
        <PreviewMark />
      </figure>
      {player.hasFailed ? (
        <p role="status" className="text-sm">
          Moments cannot be played now. Try again when you are online.
        </p>
      ) : null}
      {isOneVideo && found.source !== null ? (
        <PreviewTimeline passages={passages} sourceDurationMs={found.source.durationMs} />
      ) : null}
    </>
  )
}

interface PassageProps {
  readonly passage: PassagesProps['show']['passages'][number]
  readonly name: string
  readonly tiles: Tiles
  readonly player: MomentPlayer
}

function Passage({ passage, name, tiles, player }: PassageProps) {
  const moving = { player, tile: `${name} ${passage.startMs}`, stretch: passage }
  const isSeen =
    player.playedOf(passage) !== null ||
    (tiles.pictures !== null && tileOf(tiles.pictures, passage) !== null)
  return (
    <li className="flex min-w-0 flex-col gap-1 text-sm">
      <div className="relative">
        <MovingTile {...moving} tiles={tiles} />
        <PlayButton {...moving} name={name} isAlways />
      </div>
      <p className="flex justify-between gap-2 text-ink">
        <span className="first-letter:uppercase">{name}</span>
        <span className="text-ink-muted tabular-nums">{lengthWords(passage.startMs)}</span>
      </p>
      {isSeen ? null : <p className="text-ink-muted">The server has no picture of it.</p>}
    </li>
  )
}
