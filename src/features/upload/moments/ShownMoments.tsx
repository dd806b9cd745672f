import { ArrowLeft, ArrowRight, Ban, GripVertical, Lock, LockOpen, RefreshCw } from 'lucide-react'
import { ToggleButton } from 'react-aria-components/ToggleButton'
import { ToggleButtonGroup } from 'react-aria-components/ToggleButtonGroup'
import { Toolbar } from 'react-aria-components/Toolbar'
import type { MomentBoard } from '#recipes/moment-candidates.ts'
import { placeName, placeWords, stretchWords, type ChosenMoment } from '#recipes/moment-choice.ts'
import { Button } from '#src/ui/Button.tsx'
import { classNames } from '#src/ui/class-names.ts'
import type { Tiles } from '#src/components/moments/MomentTile.tsx'
import { MovingTile, PlayButton, playingProps } from '#src/components/moments/MovingTile.tsx'
import { useDrag } from './use-drag.ts'
import type { MomentDraft } from './use-moment-choice.ts'
import type { MomentPlayer } from '#src/components/moments/use-moment-player.ts'

interface MomentProps {
  readonly board: MomentBoard
  readonly draft: MomentDraft
  readonly tiles: Tiles
  readonly player: MomentPlayer
}

/** The moments that will be delivered, in their order; one of them is selected. */
export function ShownMoments({ board, draft, tiles, player }: MomentProps) {
  const { drag, placeProps, handleProps } = useDrag(draft.moveTo)
  const { shown } = draft.choice
  return (
    <ToggleButtonGroup
      aria-label="Moments that will be delivered, in order"
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={[String(draft.selected)]}
      onSelectionChange={(keys) => draft.select(Number([...keys][0] ?? 0))}
      className="grid grid-cols-2 gap-2 sm:grid-cols-3"
    >
      {shown.map((moment, index) => {
        const moving = { player, tile: `shown ${index}`, stretch: moment }
        return (
          <div
            // Places in the edit, which do not move: what they show does.
            key={index}
            {...placeProps(index)}
            className={classNames(
              'relative grid min-w-0 rounded-lg',
              drag?.from === index && 'opacity-50',
              drag?.over === index && drag.from !== index && 'outline-3 outline-accent',
            )}
          >
            <ToggleButton
              {...playingProps(moving)}
              id={String(index)}
              aria-label={nameOf(board, moment, index, shown.length)}
              className="block min-w-0 cursor-pointer rounded-lg border border-line p-1.5 text-left text-sm outline-0 data-focus-visible:outline-2 data-focus-visible:outline-accent data-selected:border-accent data-selected:bg-accent-soft data-selected:ring-2 data-selected:ring-accent"
            >
              <MovingTile {...moving} tiles={tiles} />
              <span className="mt-1 flex items-center justify-between gap-1 text-ink tabular-nums">
                <span className="min-w-0">
                  <b className="font-semibold">{board.rule.slots?.[index]?.name ?? index + 1}</b>{' '}
                  {stretchWords(moment, '–')}
                </span>
                {moment.isLocked ? (
                  <Lock aria-hidden className="size-4 shrink-0 text-accent" />
                ) : null}
              </span>
            </ToggleButton>
            <PlayButton {...moving} name={placeWords(board.rule, index)} />
            {shown.length === 1 ? null : <Grip {...handleProps(index)} />}
          </div>
        )
      })}
    </ToggleButtonGroup>
  )
}

/** By which a moment is dragged; 'Earlier' and 'Later' do the same for keyboards and readers. */
function Grip(handle: ReturnType<ReturnType<typeof useDrag>['handleProps']>) {
  return (
    <span
      aria-hidden
      {...handle}
      className="absolute top-0 right-0 grid size-11 cursor-grab touch-none place-items-center active:cursor-grabbing"
    >
      <span className="grid size-7 place-items-center rounded-md bg-surface text-ink shadow-1">
        <GripVertical className="size-4.5" />
      </span>
    </span>
  )
}

/** What can be done with the selected moment. */
export function MomentActions({ board, draft }: Pick<MomentProps, 'board' | 'draft'>) {
  const { one, selected, choice } = draft
  if (one === undefined) return null
  const actions = [
    {
      text: 'Earlier',
      icon: ArrowLeft,
      isDisabled: selected === 0,
      press: () => draft.moveTo(selected, selected - 1),
    },
    {
      text: 'Later',
      icon: ArrowRight,
      isDisabled: selected === choice.shown.length - 1,
      press: () => draft.moveTo(selected, selected + 1),
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
    <Toolbar aria-label={placeName(board.rule, selected)} className="flex flex-wrap gap-2">
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

function nameOf({ rule }: MomentBoard, moment: ChosenMoment, index: number, count: number): string {
  const name = placeName(rule, index)
  const place = rule.slots === null ? `${name} of ${count}` : name
  return `${place}, ${stretchWords(moment)}${moment.isLocked ? ', locked' : ''}`
}
