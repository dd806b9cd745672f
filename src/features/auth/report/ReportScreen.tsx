import { useState, type FormEvent } from 'react'
import { HumanField } from '#src/features/auth/HumanField.tsx'
import { EMAIL_MESSAGES, emailProblem } from '#src/features/auth/email-rules.ts'
import { useHumanCheck } from '#src/features/auth/use-human-check.ts'
import { SendButton } from '#src/components/help/SendButton.tsx'
import { emailReadAs } from '#src/components/account/read-email.ts'
import { minuteWords } from '#src/lib/time-words.ts'
import { paths } from '#src/config/paths.ts'
import { useCapabilities } from '#src/hooks/server/use-capabilities.ts'
import { useLocal } from '#src/hooks/device/local-context.ts'
import { useOnline } from '#src/hooks/network/use-online.ts'
import { Card } from '#src/ui/Card.tsx'
import { Checkbox } from '#src/ui/Checkbox.tsx'
import { Notice } from '#src/ui/Notice.tsx'
import { Page } from '#src/ui/Page.tsx'
import { SelectField } from '#src/ui/SelectField.tsx'
import { TextField } from '#src/ui/TextField.tsx'
import { TextLink } from '#src/ui/TextLink.tsx'
import { LongField } from './LongField.tsx'
import { forgetReportDraft, keepReportDraft, readReportDraft } from './report-draft.ts'
import { reportProblem, sendReport, type ReportReceipt, type ReportWords } from './send-report.ts'

interface FormProps {
  /** Key of the external widget; null for the built-in verification. */
  readonly siteKey: string | null
  readonly onSent: (receipt: ReportReceipt) => void
}

/** `/report`: anybody writes about a video, without an account. */
export function ReportScreen() {
  const capabilities = useCapabilities().data
  const [receipt, setReceipt] = useState<ReportReceipt | null>(null)
  return (
    <Page
      title="Report a video"
      lead="For people who are shown in a video, who hold rights in it, or who saw something wrong. You need no account."
    >
      <div className="max-w-prose">
        {receipt === null ? (
          <ReportForm
            siteKey={capabilities?.humanVerification.siteKey ?? null}
            onSent={setReceipt}
          />
        ) : (
          <Received receipt={receipt} />
        )}
      </div>
    </Page>
  )
}

const MAILED = 'We have sent it to your address as well; please name it when you write to us.'
const NOT_MAILED =
  'Please write it down, and name it when you write to us: so many reports came in this hour that we have sent no mail.'

function Received({ receipt }: { readonly receipt: ReportReceipt }) {
  const words = (at: string) => minuteWords(Date.parse(at))
  return (
    <Notice kind="success" isLive title="We have received your report">
      <p>
        Its number is <strong className="tabular-nums">{receipt.receiptNumber}</strong>.{' '}
        {receipt.isMailed === false ? NOT_MAILED : MAILED}
      </p>
      <p className="mt-2">
        {`A person looks at it by ${words(receipt.firstLookBy)} and decides it by ${words(receipt.decisionBy)}.`}
      </p>
    </Notice>
  )
}

const RELATIONS = [
  { value: 'depicted', label: 'I am shown in it' },
  { value: 'rights-holder', label: 'I hold rights in it' },
  { value: 'other', label: 'Neither of these' },
] as const

const NOTHING: ReportWords = {
  video: '',
  relation: 'depicted',
  reason: '',
  signature: '',
  contact: '',
}

type Missing = Partial<Record<keyof ReportWords | 'isTruthful', string>>

function missingOf(words: ReportWords, isTruthful: boolean): Missing {
  const contact = emailProblem(words.contact, 'login')
  return {
    ...(words.video.trim() === '' ? { video: 'Please say which video you mean.' } : {}),
    ...(words.reason.trim() === '' ? { reason: 'Please say why you report it.' } : {}),
    ...(words.signature.trim() === '' ? { signature: 'Please type your name.' } : {}),
    ...(contact === null ? {} : { contact }),
    ...(isTruthful ? {} : { isTruthful: 'Please tick this box.' }),
  }
}

/** What is typed, the verification, and sending. Nothing that fails takes the words away. */
function useReport({ siteKey, onSent }: FormProps) {
  const { api } = useLocal()
  const human = useHumanCheck(api, siteKey === null)
  const [words, setWords] = useState(() => readReportDraft(sessionStorage) ?? NOTHING)
  const [isTruthful, setTruthful] = useState(false)
  const [missing, setMissing] = useState<Missing>({})
  const [problem, setProblem] = useState<string | null>(null)
  const [isSending, setSending] = useState(false)
  const submit = async () => {
    const found = missingOf(words, isTruthful)
    setMissing(found)
    setProblem(null)
    if (Object.keys(found).length > 0) return
    setSending(true)
    try {
      const token = await human.check.token()
      if (token === null) return setProblem(EMAIL_MESSAGES.captcha)
      const sent = await sendReport(api, words, token)
      // A token counts once, whatever the answer was.
      human.check.reset()
      if (!sent.ok) return setProblem(reportProblem(sent.error))
      forgetReportDraft(sessionStorage)
      onSent(sent.value.report)
    } finally {
      setSending(false)
    }
  }
  const fieldOf = <K extends keyof ReportWords>(name: K) => ({
    value: words[name],
    onChange: (value: ReportWords[K]) => {
      const typed = { ...words, [name]: value }
      setWords(typed)
      keepReportDraft(sessionStorage, typed)
    },
    error: missing[name] ?? null,
    onFocus: human.check.start,
  })
  const truth = { isSelected: isTruthful, onChange: setTruthful, error: missing.isTruthful ?? null }
  return { human, fieldOf, truth, problem, isSending, submit }
}

function ReportForm(props: FormProps) {
  const { human, fieldOf, truth, problem, isSending, submit } = useReport(props)
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (!isSending) void submit()
  }
  const { onFocus: _start, ...relation } = fieldOf('relation')
  const contact = fieldOf('contact')
  return (
    <Card>
      <form noValidate onSubmit={onSubmit} className="flex flex-col gap-5">
        <LongField
          label="Which video?"
          hint="Addresses where you saw it, names, what it shows, when it was made. Do not send the video or any identity document."
          maxLength={2000}
          {...fieldOf('video')}
        />
        <SelectField label="Who are you to the video?" options={RELATIONS} {...relation} />
        <LongField label="Why do you report it?" maxLength={4000} {...fieldOf('reason')} />
        <TextField
          label="Your e-mail"
          hint={
            emailReadAs(contact.value) ??
            'The operator of this server answers there, and shows it to no other person.'
          }
          type="email"
          autoComplete="email"
          inputMode="email"
          maxLength={254}
          isRequired
          {...contact}
        />
        <TextField
          label="Your name, as a signature"
          autoComplete="name"
          maxLength={200}
          isRequired
          {...fieldOf('signature')}
        />
        <Truth {...truth} />
        <HumanField bound={human} siteKey={props.siteKey} />
        <Troubles problem={problem} />
        <SendButton sends="POST /v1/reports" type="submit" size="large" isBusy={isSending}>
          Send report
        </SendButton>
        <p className="text-sm text-ink-muted">
          {'The '}
          <TextLink to={paths.contentPolicy} isNewTab>
            Content Policy
          </TextLink>
          {' says what happens then.'}
        </p>
      </form>
    </Card>
  )
}

/** What is wrong beside the fields: no connection, or a report that did not arrive. */
function Troubles({ problem }: { readonly problem: string | null }) {
  const isOnline = useOnline()
  return (
    <>
      {isOnline ? null : (
        <Notice kind="warning" isLive>
          You are offline. What you typed stays here; send it when you are connected.
        </Notice>
      )}
      {problem === null ? null : (
        <Notice kind="error" isLive>
          {problem}
        </Notice>
      )}
    </>
  )
}

function Truth({
  error,
  ...box
}: {
  readonly isSelected: boolean
  readonly onChange: (isSelected: boolean) => void
  readonly error: string | null
}) {
  return (
    <div>
      <Checkbox {...box} isInvalid={error !== null && !box.isSelected}>
        What I write here is true, and I believe it in good faith.
      </Checkbox>
      <p role="status" className="text-sm text-bad">
        {box.isSelected ? '' : (error ?? '')}
      </p>
    </div>
  )
}
