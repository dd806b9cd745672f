import { SUPPORT, type LegalSection } from '#src/components/legal/LegalDocument.tsx'
import { ADULT_AGE_YEARS, PRIVACY_REPLY_MONTHS } from '#spec/numbers.ts'

const WHAT_WE_COLLECT: readonly LegalSection[] = [
  {
    id: 'controller',
    title: 'Who is responsible',
    body: [
      `Onecut, Toronto, Canada, is responsible for the data of this service. Questions and requests go to ${SUPPORT}.`,
    ],
  },
  {
    id: 'data-you-give',
    title: 'Data that you give us',
    body: [
      [
        'Your e-mail address, which is your account.',
        'Your profession, of three choices.',
        'The videos that you upload, with their file names and what is technically in them, and the options and texts of your edits, such as the name in a watermark.',
        'A link that you paste, so that our server fetches the video from there: we keep it encrypted until the video has been checked, then not any more. The place that it leads to sees that our server asks for the file.',
        'Orders, wallets, referral codes that you made or redeemed.',
        'What you write to us.',
      ],
      'Card numbers are entered on the page of the payment provider and never reach us. We keep what was paid, when, and the receipt.',
    ],
  },
  {
    id: 'data-collected-automatically',
    title: 'Data collected automatically',
    body: [
      [
        'Your network address, for up to a day, to limit guessing and floods of mails.',
        'For each device that is signed in: the browser and system as the browser names them, when it signed in and when it was last used. You see this list on Your Profile.',
        'Lines of the server’s log about calls and failures. They hold no addresses of mails, no file names and no codes.',
      ],
      'The app has no analytics, no advertising and no trackers. Your device checks a video before it is uploaded; what it reads stays there until you start the upload.',
    ],
  },
  {
    id: 'registration',
    title: 'Registration and signing in',
    body: [
      'You register directly, with your e-mail address. There is no password: a mail with a link and a code signs you in, or a passkey that you added: we keep its public half, its name and when it was used, and never your fingerprint or face. Where a direct registration asks for a password as well, it is stored in a form that cannot be read back; this server asks for none.',
      'Signing in with an account at Google or Dropbox is not offered on this server today. Where you choose a video in Dropbox, Dropbox opens in a window of its own under its own privacy policy, and we get the name, the size and a link of the chosen video, which expires after hours. Where this server lets you connect your Google Drive, we get the e-mail address of that account, and name, size and content of the files that you choose and nothing else, and put the finished edits there that you choose; you can withdraw that access at any time, with Google and with us.',
      'A human check runs before each mail. By default it is a calculation on your device without a third party. A server whose operator chose Google reCAPTCHA sends data about your browser to Google instead; the form says so.',
    ],
  },
]

const YOUR_VIDEOS: readonly LegalSection[] = [
  {
    id: 'videos',
    title: 'Your videos',
    body: [
      'You keep the ownership of every video that you upload and of every edit.',
      'Only you, the person who uploaded it, can see a video and its edits; and, where a task needs it, our staff and the sub-processors who are bound to confidentiality. Links for downloads work only while you are signed in.',
      'We look at a video only to make what you ordered, to answer you, to keep the service safe, or because the law makes us. We do not train models with it and do not publish it.',
      'We delete videos and edits on your request: on Your Profile you delete single ones at once, or the whole account. Or write to us.',
    ],
  },
  {
    id: 'sensitive',
    title: 'Videos for adults, and people in your videos',
    body: [
      `A video can show the sex life of people. We process it because you, an adult of at least ${ADULT_AGE_YEARS}, ask us to make edits of it, and you confirm that every person in it agreed. No faces or voices are recognised or compared with anything.`,
      'A person in a video can write to us to have it looked at.',
    ],
  },
  {
    id: 'purposes',
    title: 'Why we use data, and on what ground',
    body: [
      [
        'To make and deliver what you order, and to sign you in: the contract with you.',
        'To take payments and keep books: the contract, and duties of tax law.',
        'To keep the service safe, limit misuse and find faults: our legitimate interest in a service that works.',
        'To send mails about your account, your orders and your payments: the contract. We send no advertising.',
      ],
    ],
  },
  {
    id: 'sub-processors',
    title: 'Who else gets data',
    body: [
      [
        'The company that hosts the server.',
        'The mail provider that delivers our mails: your address and the mail.',
        'The payment provider, Stripe, where cards are taken: your address, what you buy, and what you enter on its page. It is responsible for that itself as well.',
        'Google, only where reCAPTCHA is switched on.',
        'Authorities, where the law obliges us.',
      ],
      'We sell no data. Where data leaves your country, for example to Canada or the United States, it is protected by an adequacy decision or standard contract clauses.',
    ],
  },
]

const YOUR_RIGHTS: readonly LegalSection[] = [
  {
    id: 'how-long',
    title: 'How long data is kept',
    body: [
      [
        'Your account: until you delete it, and 14 days more, in which you can come back.',
        'Videos and edits: until you delete them on Your Profile, or the day that it shows beside them, or with the account. That a file was deleted, and when, stays as the proof.',
        'Of a video that is held after a report: what it looks like, in pictures of 16 by 9 parts, until it is released; of one that was removed they stay, so that a copy of it is not accepted again.',
        'Previews that the server makes: a day, or until their video is deleted.',
        'An upload that never finishes: 7 days after its last part.',
        'Links and codes for signing in: they work for 10 minutes. A session ends 60 days after it was last used, and 90 days after it began.',
        'A log of sign-ins, refused codes and similar events, to find abuse: it holds numbers that stand for you, no addresses, and is kept for 90 days.',
        'Mails that we sent you: the fact that one was sent is kept for 30 days.',
        'Payments, receipts and the ledger of tokens: as long as tax law asks, also after the account is deleted, then without your address.',
        'After a deletion: a hash of your mailbox, so that a trial is given once.',
        'Backups, where the operator makes them: for a limited time, until they expire.',
      ],
    ],
  },
  {
    id: 'cookies',
    title: 'Cookies, and what your device keeps',
    body: [
      'All cookies are needed for the service, so none asks for consent:',
      [
        'the session, which scripts cannot read;',
        'a copy of your address and rights for display;',
        'a token against forged requests;',
        'for an hour while you sign in, a mark of the browser that asked for the mail; and the referral code that you came with;',
        'for 180 days, a mark that this browser has signed in before, so that strangers cannot lock you out.',
      ],
      'The app keeps your list of edits, unfinished uploads and previews on your device, so that it works without a connection. Logging out deletes them. If your session ends while an upload is unfinished, that upload waits on the device for up to eight days.',
    ],
  },
  {
    id: 'rights',
    title: 'Your rights',
    body: [
      'You can ask what we keep about you and get a copy, have it corrected or deleted, have its use limited, object to a use that rests on our interests, take your data along, and withdraw a consent. On Your Profile you can download everything that is stored about you, and delete your account.',
      `We answer a request within ${PRIVACY_REPLY_MONTHS} month. You can also complain to the authority for data protection of the place where you live.`,
    ],
  },
  {
    id: 'security',
    title: 'How data is protected',
    body: [
      'Each account reads only its own data, sessions are stored as hashes, and the app loads no scripts of others. If data gets lost or seen by others in spite of it, and that is a risk for you, we tell you and the authority.',
    ],
  },
  {
    id: 'children',
    title: 'No use by minors',
    body: [
      `The service is not for people under ${ADULT_AGE_YEARS}. When we learn of an account of a minor, we delete it with its data.`,
    ],
  },
  {
    id: 'changes',
    title: 'Changes of this policy',
    body: [
      'When we change something that matters we tell you by e-mail before. The page always shows the text that holds.',
    ],
  },
]

/** All topics of the policy, in reading order. */
export const PRIVACY_POLICY: readonly LegalSection[] = [
  ...WHAT_WE_COLLECT,
  ...YOUR_VIDEOS,
  ...YOUR_RIGHTS,
]
