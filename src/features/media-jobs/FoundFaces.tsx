import { useState, type RefObject } from 'react'
import { lengthWords } from '#src/lib/time-words.ts'
import { Badge } from '#src/ui/Badge.tsx'
import { Button } from '#src/ui/Button.tsx'
import { Checkbox } from '#src/ui/Checkbox.tsx'
import {
  isSure,
  isWhollyCovered,
  shotsToReview,
  withAllCovered,
  withCovered,
  withWhole,
  type FoundTrack,
  type ShotFaces,
} from './decisions.ts'
import { FaceStrip, useUncoveredMargin } from './FaceStrip.tsx'
import type { Desk } from './use-desk.ts'
import type { ReviewPictures } from './use-review-pictures.ts'

/** Shots that are shown at once; a long video has hundreds. */
const AT_ONCE = 30

interface FacesProps {
  readonly desk: Desk
  readonly pictures: ReviewPictures
  /** The picture of the video. */
  readonly frame: RefObject<HTMLElement | null>
}

/** The faces that the search found, by shot, those that it is least sure of first. */
export function FoundFaces(props: FacesProps) {
  const [shown, setShown] = useState(AT_ONCE)
  const uncoveredMargin = useUncoveredMargin(props.frame)
  const { finding } = props.desk.review
  if (finding === null) return null
  const shots = shotsToReview(finding)
  return (
    <section aria-labelledby="found" className="flex flex-col gap-5 max-lg:mt-8">
      <div>
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
          <h2 id="found" className="text-xl font-bold">
            Faces found
          </h2>
          {finding.tracks.length > 1 ? (
            <AllFaces desk={props.desk} tracks={finding.tracks} />
          ) : null}
        </div>
        {shots.length > 1 ? (
          <p className="text-sm text-ink-muted">
            Shots that the search is least sure of come first.
          </p>
        ) : null}
      </div>
      {shots.length === 0 ? (
        <p>The search found no face. Watch the video, and cover by hand what it missed.</p>
      ) : null}
      {shots.slice(0, shown).map((faces) => (
        <Shot key={faces.shot.startMs} {...props} faces={faces} uncoveredMargin={uncoveredMargin} />
      ))}
      {shots.length > shown ? (
        <Button variant="secondary" onPress={() => setShown(shown + AT_ONCE)}>
          Show more of {shots.length} shots
        </Button>
      ) : null}
    </section>
  )
}

/** For a video in which few are to be covered, or few stay visible. */
function AllFaces({
  desk: { decisions, decide },
  tracks,
}: {
  readonly desk: Desk
  readonly tracks: readonly FoundTrack[]
}) {
  const visible = decisions.uncovered.length
  const coverAll = (isCovered: boolean) => () =>
    decide(withAllCovered(decisions, tracks, isCovered))
  return (
    <div className="flex flex-wrap gap-1">
      <Button
        variant="quiet"
        size="small"
        isDisabled={visible === tracks.length}
        onPress={coverAll(false)}
      >
        Leave all visible
      </Button>
      <Button variant="quiet" size="small" isDisabled={visible === 0} onPress={coverAll(true)}>
        Cover all
      </Button>
    </div>
  )
}

interface ShotProps extends FacesProps {
  /** See `useUncoveredMargin`. */
  readonly uncoveredMargin: string | null
}

function Shot({ faces, ...props }: ShotProps & { readonly faces: ShotFaces }) {
  const { shot, tracks } = faces
  const { decisions, decide } = props.desk
  const time = `${lengthWords(shot.startMs)} to ${lengthWords(shot.endMs)}`
  return (
    <div role="group" aria-label={`Shot from ${time}`} className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center justify-between gap-x-4">
        <h3 className="font-semibold tabular-nums">Shot {time}</h3>
        <Checkbox
          isSelected={isWhollyCovered(decisions, shot)}
          onChange={(isOn) => decide(withWhole(decisions, shot, isOn))}
        >
          <span>
            Cover all of this stretch<span className="sr-only"> from {time}</span>
          </span>
        </Checkbox>
      </div>
      <ul className="flex flex-col divide-y divide-line rounded-control border border-line bg-surface">
        {tracks.map((track) => (
          <Face key={track.id} {...props} track={track} />
        ))}
      </ul>
    </div>
  )
}

function Face({ track, ...props }: ShotProps & { readonly track: FoundTrack }) {
  const { desk, pictures, frame, uncoveredMargin } = props
  const { decisions, decide, review } = desk
  const time = `${lengthWords(track.startMs)} to ${lengthWords(track.endMs)}`
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 p-3">
      <FaceStrip
        taskId={review.taskId}
        track={track}
        pictures={pictures}
        uncoveredMargin={uncoveredMargin}
        onPress={() => {
          desk.setAtMs(track.boxes[0]?.atMs ?? track.startMs)
          frame.current?.scrollIntoView({ block: 'nearest' })
        }}
      />
      <div className="flex flex-1 flex-wrap items-center justify-between gap-x-3">
        <span className="flex flex-wrap items-center gap-x-2 text-sm whitespace-nowrap tabular-nums">
          {time}
          {isSure(track) ? null : <Badge tone="warning">Not sure</Badge>}
        </span>
        <Checkbox
          isSelected={!decisions.uncovered.includes(track.id)}
          onChange={(isOn) => decide(withCovered(decisions, track.id, isOn))}
        >
          <span>
            Cover<span className="sr-only"> the face from {time}</span>
          </span>
        </Checkbox>
      </div>
    </li>
  )
}
