import { Checkbox } from '#src/ui/Checkbox.tsx'
import type { SavedChoice } from './use-choice.ts'

/** A box for each kind of message, ticked where it is wanted. */
export function KindBoxes<Kind extends string>({
  labelledBy,
  words,
  off,
  isOnline,
}: {
  readonly labelledBy: string
  readonly words: Readonly<Record<Kind, string>>
  /** The kinds that are not wanted. */
  readonly off: SavedChoice<Kind[]>
  readonly isOnline: boolean
}) {
  const choose = (kind: Kind, isWanted: boolean) => {
    const others = off.value.filter((one) => one !== kind)
    void off.choose(isWanted ? others : [...others, kind])
  }
  return (
    <div role="group" aria-labelledby={labelledBy} className="flex flex-col">
      {(Object.keys(words) as Kind[]).map((kind) => (
        <Checkbox
          key={kind}
          isSelected={!off.value.includes(kind)}
          onChange={(isWanted) => choose(kind, isWanted)}
          isDisabled={!isOnline}
        >
          {words[kind]}
        </Checkbox>
      ))}
    </div>
  )
}
