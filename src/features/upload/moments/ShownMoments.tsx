import { ArrowLeft, ArrowRight, Ban, Lock, LockOpen, RefreshCw } from 'lucide-react'
import { ToggleButton } from 'react-aria-components/ToggleButton'
import { ToggleButtonGroup } from 'react-aria-components/ToggleButtonGroup'
import { Toolbar } from 'react-aria-components/Toolbar'
import { pointWords, type ChosenMoment } from '#recipes/moment-choice.ts'
import { Button } from '#src/ui/Button.tsx'
import { MomentTile, type Tiles } from './MomentTile.tsx'
import type { MomentDraft } from './use-moment-choice.ts'

interface MomentProps {
  readonly draft: MomentDraft
  readonly tiles: Tiles
}

/** The moments that will be delivered, in their order; one of them is selected. */
export function ShownMoments({ draft, tiles }: MomentProps) {
  return (
    <ToggleButtonGroup
      aria-label="Moments that will be delivered, in order"
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={[String(draft.selected)]}
      onSelectionChange={(keys) => draft.select(Number([...keys][0] ?? 0))}
      className="grid grid-cols-2 gap-2 sm:grid-cols-3"
    >
      {draft.choice.shown.map((moment, index) => (
        <ToggleButton
          // Places in the edit, which do not move: what they show does.
          key={index}
          id={String(index)}
          aria-label={nameOf(moment, index, draft.choice.shown.length)}
          className="block min-w-0 cursor-pointer rounded-lg border border-line p-1.5 text-left text-sm outline-0 data-focus-visible:outline-2 data-focus-visible:outline-accent data-selected:border-accent data-selected:bg-accent-soft data-selected:ring-2 data-selected:ring-accent"
        >
          <MomentTile tiles={tiles} stretch={moment} />
          <span className="mt-1 flex items-center justify-between gap-1 text-ink tabular-nums">
            <span>
              <b className="font-semibold">{index + 1}</b> {timesOf(moment)}
            </span>
            {moment.isLocked ? <Lock aria-hidden className="size-4 shrink-0 text-accent" /> : null}
          </span>
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  )
}

/** What can be done with the selected moment. */
export function MomentActions({ draft }: Pick<MomentProps, 'draft'>) {
  const { one, selected, choice } = draft
  if (one === undefined) return null
  const actions = [
    { text: 'Earlier', icon: ArrowLeft, isDisabled: selected === 0, press: () => draft.move(-1) },
    {
      text: 'Later',
      icon: ArrowRight,
      isDisabled: selected === choice.shown.length - 1,
      press: () => draft.move(1),
    },
    {
      text: one.isLocked ? 'Unlock' : 'Lock',
      icon: one.isLocked ? LockOpen : Lock,
      isDisabled: false,
      press: () => draft.lock(!one.isLocked),
    },
    { text: 'Swap', icon: RefreshCw, isDisabled: false, press: draft.swap },
    { text: 'Never show', icon: Ban, isDisabled: false, press: draft.ban },
  ]
  return (
    <Toolbar aria-label={`Moment ${selected + 1}`} className="flex flex-wrap gap-2">
      {actions.map(({ text, icon: Icon, isDisabled, press }) => (
        <Button
          key={text === 'Unlock' ? 'Lock' : text}
          variant="secondary"
          size="small"
          isDisabled={isDisabled}
          onPress={press}
        >
          <Icon aria-hidden className="size-4" />
          {text}
        </Button>
      ))}
    </Toolbar>
  )
}

function nameOf(moment: ChosenMoment, index: number, count: number): string {
  const lock = moment.isLocked ? ', locked' : ''
  return `Moment ${index + 1} of ${count}, ${pointWords(moment.startMs)} to ${pointWords(moment.endMs)}${lock}`
}

function timesOf({ startMs, endMs }: ChosenMoment): string {
  return `${pointWords(startMs)}–${pointWords(endMs)}`
}
