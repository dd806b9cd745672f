import { Camera, Clapperboard, Shapes } from 'lucide-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { apiFailureMessage } from '#src/api/errors.ts'
import { useNotYet } from '#src/components/help/use-not-yet.ts'
import { PROFESSIONS } from '#src/config/enums.ts'
import type { Profession } from '#src/config/enums.ts'
import { useSaveProfile } from '#src/hooks/account/use-profile.ts'
import { DocumentTitle } from '#src/ui/DocumentTitle.tsx'
import { Notice } from '#src/ui/Notice.tsx'
import { Spinner } from '#src/ui/Spinner.tsx'
import { useFoundFocus } from '#src/ui/use-found-focus.ts'

const pictures: Readonly<
  Record<Profession, { readonly icon: typeof Camera; readonly note: string }>
> = {
  'Creator/Model': { icon: Camera, note: 'I am in my videos' },
  'Video Editor': { icon: Clapperboard, note: 'I edit for others' },
  Other: { icon: Shapes, note: 'Something else' },
}

/** `/create-profile`: asks once for the person's profession. */
export function CreateProfileScreen({ nextPath }: { readonly nextPath: () => string }) {
  const screen = useFoundFocus<HTMLDivElement>()
  const saving = useSaveProfile()
  const notYet = useNotYet('PATCH /v1/{userId}/profile')
  const navigate = useNavigate()
  const [chosen, setChosen] = useState<Profession | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const choose = async (profession: Profession) => {
    if (chosen !== null || notYet !== null) return
    setChosen(profession)
    setProblem(null)
    const saved = await saving.mutateAsync({ profession })
    if (saved.ok) return navigate(nextPath(), { replace: true })
    setChosen(null)
    setProblem(apiFailureMessage(saved.error))
  }
  return (
    <div
      ref={screen}
      className="mx-auto flex w-full max-w-3xl flex-1 flex-col items-center justify-center px-4 py-12 text-center"
    >
      <DocumentTitle screen="Your profile" />
      <h1 tabIndex={-1} className="text-3xl font-bold outline-none sm:text-4xl">
        I am a
      </h1>
      <div className="mt-10 grid w-full gap-4 sm:grid-cols-3">
        {PROFESSIONS.map((profession) => (
          <ProfessionButton
            key={profession}
            profession={profession}
            chosen={chosen}
            isTooSoon={notYet !== null}
            onChoose={() => void choose(profession)}
          />
        ))}
      </div>
      {notYet === null || chosen !== null ? null : <p className="mt-6 text-ink-muted">{notYet}</p>}
      {problem === null ? null : (
        <Notice kind="error" isLive className="mt-6 w-full text-left">
          {problem}
        </Notice>
      )}
    </div>
  )
}

function ProfessionButton({
  profession,
  chosen,
  isTooSoon,
  onChoose,
}: {
  readonly profession: Profession
  /** The one that is being saved. */
  readonly chosen: Profession | null
  readonly isTooSoon: boolean
  readonly onChoose: () => void
}) {
  const { icon: Icon, note } = pictures[profession]
  return (
    <button
      type="button"
      aria-disabled={chosen !== null || isTooSoon}
      aria-describedby={`note-${profession}`}
      onClick={onChoose}
      className="flex cursor-pointer flex-col items-center gap-3 rounded-card border border-line bg-surface p-7 shadow-1 transition hover:-translate-y-0.5 hover:border-accent hover:shadow-2 aria-disabled:cursor-progress aria-disabled:opacity-60"
    >
      <span
        aria-hidden
        className="grid size-14 place-items-center rounded-2xl bg-accent-soft text-accent"
      >
        {chosen === profession ? <Spinner className="size-6" /> : <Icon className="size-7" />}
      </span>
      <span className="max-w-full text-lg font-semibold wrap-anywhere">{profession}</span>
      <span id={`note-${profession}`} aria-hidden className="-mt-2 text-sm text-ink-muted">
        {note}
      </span>
    </button>
  )
}
