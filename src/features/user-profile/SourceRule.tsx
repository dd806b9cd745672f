import { serverProblemCopy } from '#src/components/problem/server-copy.ts'
import { useChoice } from './use-choice.ts'
import { useOnline } from '#src/hooks/network/use-online.ts'
import { useSaveSourceRule, type Storage } from '#src/hooks/account/use-storage.ts'
import { Notice } from '#src/ui/Notice.tsx'
import { SelectField } from '#src/ui/SelectField.tsx'

/** Days that are offered; another number that was set before is offered too. */
const DAYS = [7, 14, 30, 90] as const
const NEVER = 'never'

/** Whether videos are deleted by themselves, and how many days after their last edit. */
export function SourceRule({ storage }: { readonly storage: Storage }) {
  const isOnline = useOnline()
  const save = useSaveSourceRule()
  const known = storage.deleteSourcesAfterDays ?? null
  const days = useChoice(storage, known, (value) => save.mutateAsync(value))
  const offered = [...new Set([...DAYS, ...(known === null ? [] : [known])])].toSorted(
    (a, b) => a - b,
  )
  return (
    <>
      <SelectField
        label="Delete videos by themselves"
        value={days.value === null ? NEVER : String(days.value)}
        options={[
          { value: NEVER, label: 'Never' },
          ...offered.map((each) => ({
            value: String(each),
            label: `${each} ${each === 1 ? 'day' : 'days'} after their last edit`,
          })),
        ]}
        onChange={(value) => void days.choose(value === NEVER ? null : Number(value))}
        isDisabled={!isOnline}
        className="max-w-md"
        hint="Finished edits stay. So does a video that has no edit yet, or edits that are not paid, not finished or not reviewed. After you change this, nothing goes for a day."
      />
      {days.failure === null ? null : (
        <Notice kind="error" isLive title={serverProblemCopy(days.failure).title}>
          Your videos are kept as before.
        </Notice>
      )}
    </>
  )
}
