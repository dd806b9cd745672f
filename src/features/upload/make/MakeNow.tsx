import { Zap } from 'lucide-react'
import type { ReactNode } from 'react'
import {
  failedWords,
  FALLEN_BACK_WORDS,
  GO_ONLINE_WORDS,
  GONE_WORDS,
  passageWords,
  rightWords,
  rungWords,
} from '#src/components/made/make-words.ts'
import { MakeAgain } from '#src/components/made/MakeAgain.tsx'
import type { MadeFileRow } from '#src/hooks/edits/use-made-edits.ts'
import { usePlanKept } from './use-make-right.ts'
import type { Preset } from '#src/hooks/edits/use-presets.ts'
import { Button } from '#src/ui/Button.tsx'
import { ProgressBar } from '#src/ui/ProgressBar.tsx'
import type { Makes } from './use-makes.ts'

interface MakeNowProps {
  readonly preset: Preset
  readonly makes: Makes
}

/**
 * What this device can do with one edit, on its card: the button, how far it is, or in one clause
 * why there is none. Nothing while that is not known.
 */
export function MakeNow({ preset, makes }: MakeNowProps) {
  const row = makes.rowOf(preset)
  return (
    // Above the control that lies over the whole card.
    <div
      tabIndex={-1}
      className="relative z-10 mt-1 flex flex-col items-start gap-1.5 self-start text-sm outline-none empty:hidden"
    >
      {row === null ? null : <MadeBefore row={row} preset={preset} makes={makes} />}
      {row?.state.kind === 'making' || row?.kept != null ? null : (
        <MakeButton preset={preset} makes={makes} row={row} />
      )}
    </div>
  )
}

/** Where the newest device edit of this format and video stands. */
function MadeBefore({ row, preset, makes }: MakeNowProps & { readonly row: MadeFileRow }) {
  const { making, video } = makes
  const { name } = preset
  const show = (
    <Button
      variant="secondary"
      size="small"
      onPress={() => makes.setSubject({ kind: 'made', id: row.id, name })}
      label={`Show ${name} of this device`}
    >
      Show
    </Button>
  )
  switch (row.state.kind) {
    case 'making':
      return making?.id === row.id ? (
        <>
          <ProgressBar
            label={passageWords(making.progress)}
            percent={making.progress === null ? null : making.progress.share * 100}
            className="w-56 max-w-full"
          />
          {making.hasFallenBack ? <p role="status">{FALLEN_BACK_WORDS}</p> : null}
          {show}
        </>
      ) : (
        <p className="text-ink-muted">Another tab of this browser makes it.</p>
      )
    case 'ready':
      return (
        <>
          <p className="font-medium text-good">Made on this device.</p>
          {show}
        </>
      )
    case 'failed':
      return (
        <>
          <p className="text-ink-muted">{failedWords(row)}</p>
          {row.kept == null && video !== null ? null : <MakeAgain row={row} video={video} />}
        </>
      )
    case 'gone':
      return (
        <>
          <p className="text-ink-muted">{GONE_WORDS}</p>
          {video === null ? <MakeAgain row={row} video={null} /> : null}
        </>
      )
  }
}

function MakeButton({ preset, makes, row }: MakeNowProps & { readonly row: MadeFileRow | null }) {
  const rung = makes.rungOf(preset)
  // Most formats are the server's on every device: a list that says it of each would say little.
  if (rung === null || (rung.kind === 'server' && rung.why === 'never-here')) return null
  if (rung.kind === 'server') return <Clause>{rungWords(rung)}</Clause>
  const isAgain = row?.state.kind === 'failed' || row?.state.kind === 'gone'
  return (
    <ByRight makes={makes}>
      {makes.making !== null ? (
        <Clause>Another edit is being made. One is made at a time.</Clause>
      ) : (
        <>
          <Button
            variant={isFirst(makes) && row?.state.kind !== 'ready' ? 'primary' : 'secondary'}
            size="small"
            onPress={() => makes.wish(preset, isAgain ? row.id : null)}
            label={`${isAgain ? 'Make it again' : 'Make it now'}: ${preset.name}`}
          >
            <Zap aria-hidden className="size-4" />
            {isAgain ? 'Make it again' : 'Make it now'}
          </Button>
          <Clause>{rungWords(rung)}</Clause>
        </>
      )}
    </ByRight>
  )
}

/** The button where the plan or the trial has it, else what is to be done or known. */
function ByRight({ makes, children }: { readonly makes: Makes; readonly children: ReactNode }) {
  const { right, isSubscribed, askForPlan } = makes
  if (right === null) return null
  if (right === 'go-online')
    return (
      <>
        <PlanKept />
        <Button variant="secondary" size="small" onPress={askForPlan}>
          Go online once
        </Button>
        <Clause>{GO_ONLINE_WORDS}</Clause>
      </>
    )
  const words = rightWords(right)
  if (words !== null) return <Clause>{words}</Clause>
  return (
    <>
      {isSubscribed ? <PlanKept /> : null}
      {children}
    </>
  )
}

function PlanKept() {
  usePlanKept()
  return null
}

function Clause({ children }: { readonly children: string }) {
  return <p className="text-ink-muted">{children}</p>
}

/** Nothing of the video has arrived: what this device makes is there first. */
function isFirst({ upload }: Makes): boolean {
  return upload.safeBytes === 0 && upload.state.kind !== 'done'
}
