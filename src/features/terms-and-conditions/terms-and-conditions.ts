import { SUPPORT, type LegalSection } from '#src/components/legal/LegalDocument.tsx'
import { ADULT_AGE_YEARS, INDEMNITY_YEARS, LIABILITY_CAP_MONTHS } from '#spec/numbers.ts'

/** All topics, in reading order. */
export const TERMS_AND_CONDITIONS: readonly LegalSection[] = [
  {
    id: 'for-whom',
    title: 'For whom the service is',
    body: [
      `The service is for business users who are no consumers: people and companies that sell or publish videos as their work. Each user is over ${ADULT_AGE_YEARS} years old.`,
      'Who uses the service as a consumer all the same keeps every right that the Terms of Use and the law give to consumers; where this page says less, it does not hold for them.',
      'Who acts for a company confirms that they may bind it.',
    ],
  },
  {
    id: 'account',
    title: 'Your account',
    body: [
      [
        'One account for each user. Do not make a second one, for example to get another trial.',
        'A person makes the account. Registration by bots or other automatic means is not allowed.',
        'The e-mail address is yours and stays correct. You are responsible for what is done with your account.',
        'Accounts cannot be shared, sold or passed on.',
      ],
    ],
  },
  {
    id: 'termination-by-you',
    title: 'How you end the contract',
    body: [
      'You end your account by contacting us at the address below. While a subscription is paid for, the account ends only after the paid period has expired; end the subscription first, so that it is not renewed.',
      'You can also delete the account yourself on Your Profile at any time. That gives up what is left of a paid period, and the page says so before you confirm. For 14 days you can come back by signing in.',
    ],
  },
  {
    id: 'termination-by-us',
    title: 'When we suspend or delete an account',
    body: [
      'We may suspend or delete an account that breaks these rules, harms others or the service, or is used unlawfully. We tell you why, unless the law or an investigation forbids it. You can answer, and a person looks at your answer.',
      'Where the reason is no fault of yours, tokens that you bought and did not spend are paid back.',
    ],
  },
  {
    id: 'ownership',
    title: 'Your videos stay yours',
    body: [
      'You own the videos that you upload and the edits that are made of them. We claim no right in them beyond the licence below, do not show them to others, and do not train models with them.',
    ],
  },
  {
    id: 'our-licence',
    title: 'The licence that you give us',
    body: [
      'You give us a limited licence to store, copy, convert and edit your videos, for one purpose: to make, check and deliver what you ordered, and to show it to you. It is not exclusive, needs no payment, and ends when the videos are deleted.',
      'We may use other companies as processors for this, such as hosting providers. They get no more than the task needs, and are bound by contract to confidentiality. The Privacy Policy says who they are.',
      'Backups may be kept for a limited time after a deletion. They are used for nothing but restoring the service after a loss, and then expire.',
    ],
  },
  {
    id: 'acceptable-use',
    title: 'Acceptable use',
    body: [
      'You use the service for its purpose and within the law. You do not:',
      [
        'break into accounts, the server or its network, or look for ways to do so without our consent;',
        'get around prices, limits or checks, or pretend that a video is something else than it is;',
        'burden the service more than normal use does, or use it by scripts that we did not allow;',
        'upload files that are made to harm a program that opens them;',
        'sell access to the service as your own without a contract with us.',
      ],
    ],
  },
  {
    id: 'content',
    title: 'What may not be uploaded',
    body: [
      'You upload only videos that you have the right to publish and have edited. Every person in them was an adult when they were filmed, has agreed to the filming and to what you do with the video, and you keep proof of both. Not allowed is in particular:',
      [
        `any person under ${ADULT_AGE_YEARS}, or made to look so, in a sexual context;`,
        'people who did not consent, hidden recordings, and intimate pictures that were published against the will of a person in them;',
        'faces or voices of people put into sexual content that they had no part in;',
        'violence against a person’s will, trafficking, exploitation, and acts with animals;',
        'content that infringes copyright, trademarks or personal rights of others;',
        'content that is unlawful where you live, where we are, or where our server is;',
        'content that the rules of the payment provider forbid.',
      ],
      'We report child sexual abuse material to the authorities. When we learn of content that is not allowed we may stop its use, or delete it.',
    ],
  },
  {
    id: 'indemnity',
    title: 'Indemnity and liability',
    body: [
      `You indemnify us against claims of others that arise from your videos or from breaking these rules. The duty outlives the contract by ${INDEMNITY_YEARS} years. Our own liability ends, as far as the law allows, at what you paid us in the ${LIABILITY_CAP_MONTHS} months before the event.`,
    ],
  },
  {
    id: 'contact',
    title: 'Contact',
    body: [`Onecut, Toronto, Canada. Write to ${SUPPORT}.`],
  },
]
