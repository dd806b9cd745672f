import { SUPPORT, type LegalSection } from '#src/components/legal/LegalDocument.tsx'
import { ADULT_AGE_YEARS } from '#spec/numbers.ts'

/** What may be edited here, and what happens after a report. */
export const CONTENT_POLICY: readonly LegalSection[] = [
  {
    id: 'what-it-covers',
    title: 'What this policy covers',
    body: [
      'Onecut makes edits of videos that people upload for themselves. It shows no video to the public and offers no place to publish one. This policy says which videos may be edited here, and what happens when a person reports one.',
    ],
  },
  {
    id: 'people-shown',
    title: 'Everyone shown has agreed',
    body: [
      `Everyone shown in a video is at least ${ADULT_AGE_YEARS} years old, and has agreed to be filmed and to the edits. You confirm that at the first order of each video, and we keep when you did and which words you confirmed.`,
      'You keep the proof: the age, the identity and the agreement of each person. We do not ask for identity documents, and you must not upload them.',
    ],
  },
  {
    id: 'never-allowed',
    title: 'What is never allowed',
    body: [
      'These videos must not be uploaded, whether you publish them or not:',
      [
        `anyone under ${ADULT_AGE_YEARS}, or made to look so`,
        'anyone who did not agree, cannot agree, or has taken the agreement back',
        'hidden recordings, and intimate pictures that were shared against the will of a person',
        'faces or voices of real people put into scenes in which they were not',
        'violence that is not acted, force, trafficking, and animals in sexual scenes',
        'what belongs to others and may not be used by you',
      ],
    ],
  },
  {
    id: 'reports',
    title: 'How to report a video',
    body: [
      'Anybody can report a video with the form “Report a video”, without an account. Say which video it is, who you are to it, and why. You get a number by mail.',
      'A person looks at each report within 48 hours and decides it within 7 days.',
    ],
  },
  {
    id: 'holds',
    title: 'What happens to a reported video',
    body: [
      'While a report is looked into, the video may be held: nothing of it can be edited, downloaded or ordered, and copies that the app keeps on a device are taken away. Paid edits that are not finished are stopped, and their tokens come back.',
      'If the report turns out to be wrong, the video comes back as it was. If it is right, the video and everything that was made of it are deleted for good, and the same file is not accepted again. Receipts stay, because the law wants them kept.',
    ],
  },
  {
    id: 'appeals',
    title: 'If you disagree',
    body: [
      `Write to ${SUPPORT}, as the person who uploaded the video, as a person shown in it, or as the reporter. Another look is taken at the decision, and you get an answer with reasons.`,
    ],
  },
]
