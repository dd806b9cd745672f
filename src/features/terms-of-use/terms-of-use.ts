import { SUPPORT, type LegalSection } from '#src/components/legal/LegalDocument.tsx'
import { dollars, tokens } from '#src/components/tokens/token-words.ts'
import {
  ADULT_AGE_YEARS,
  BRAZIL_DURABLE_GUARANTEE_DAYS,
  BRAZIL_GUARANTEE_DAYS,
  COMPLAINT_REPLY_DAYS,
  EU_CONFORMITY_YEARS,
  FREE_TRIAL_DAYS,
  INDEMNITY_YEARS,
  LIABILITY_CAP_MONTHS,
  PLAN_PRICE_DOLLARS_PER_MONTH,
  REFERRAL_REWARD_TOKENS,
  REFUND_DAYS,
  SUBSCRIPTION_TOKENS_PER_MONTH,
  TERMINATION_NOTICE_DAYS,
  TOP_UP_MAX_TOKENS,
  TOP_UP_MIN_TOKENS,
  WELCOME_TOKENS,
  WITHDRAWAL_DAYS,
} from '#spec/numbers.ts'

const MONTHLY_PRICE = `$${PLAN_PRICE_DOLLARS_PER_MONTH}`

const THE_SERVICE: readonly LegalSection[] = [
  {
    id: 'who-we-are',
    title: 'Who we are, and what these terms are about',
    body: [
      'Onecut is a service that makes edits of videos that you upload. It is offered by Onecut, Toronto, Canada ("we"). You reach us at the address at the end of this page.',
      'These terms are the contract between you and us about the use of the service and about everything that you buy in it. The Terms and Conditions add rules for accounts and for what you upload, the Referral Terms add rules for referral codes, and the Privacy Policy says what happens to your data.',
      'Where a law that protects consumers gives you more than these terms, the law holds. Nothing here takes such a right away.',
    ],
  },
  {
    id: 'who-may-use-it',
    title: 'Who may use the service',
    body: [
      `You must be at least ${ADULT_AGE_YEARS} years old and able to enter into a contract. The service is made for people who sell their own videos, which may be videos for adults.`,
      'You sign in with a link or a code that we send to your e-mail address, so keep that mailbox safe: who can read it can use your account. Tell us at once when another person has used it.',
    ],
  },
  {
    id: 'licence',
    title: 'The licence to use the software',
    body: [
      'While this contract lasts we give you a licence to use the app and the service for your own work. The licence is limited, can be revoked, is not exclusive, and cannot be passed on or sublicensed.',
      'The app, its design and its name stay ours. You do not copy, sell, rent or take apart the app beyond what the law or the licence of a part of it allows, and you do not get around its limits.',
      'Parts of the app are software of others under licences of their own, some of which give you more rights than this one. The page Licences lists them with their full texts and offers their source where their licence asks for it.',
    ],
  },
  {
    id: 'tell-a-friend',
    title: 'Tell a friend: referral codes',
    body: [
      `You can make referral codes and give them to people who do not use the service yet. When a person who redeemed your code pays for the first month of a subscription, both of you get ${tokens(REFERRAL_REWARD_TOKENS)}, which expire one month later.`,
      'You may tell people whom you know. You do not send codes to strangers in bulk, do not pretend to be us, and do not redeem your own codes. A reward is taken back when the payment that earned it goes back. We may end the programme, or take part of it back where it is abused; the Referral Terms have all rules.',
    ],
  },
]

const BUYING: readonly LegalSection[] = [
  {
    id: 'paid-products',
    title: 'Paid products, and the steps of a purchase',
    body: [
      `Edits are paid with tokens. You get tokens with a monthly subscription (${tokens(SUBSCRIPTION_TOKENS_PER_MONTH)} for ${MONTHLY_PRICE} a month), or buy between ${tokens(TOP_UP_MIN_TOKENS)} and ${tokens(TOP_UP_MAX_TOKENS)} at once, or as many as an order lacks.`,
      'A purchase has these steps:',
      [
        'You choose what to buy. The page shows what you get, and its price in US dollars.',
        'You enter your payment details on the page of the payment provider. We never see the number of your card.',
        'You check everything, and press the button that pays. With it you make a binding offer and promise to pay.',
        'We accept when the provider tells us that the money has arrived, and the tokens are in your wallet. You find a receipt under Payments.',
      ],
      'Prices are shown before you pay, with taxes where we must collect them. We may change prices for the future; what you have bought keeps its price.',
    ],
  },
  {
    id: 'orders',
    title: 'Orders of edits',
    body: [
      'The price of each edit is shown before you order, and an order is priced by the length of the video that our server measures. What you pay for an order is exactly what the page shows.',
      'When an edit cannot be made, the tokens that it cost come back at once. You can cancel an order before its work starts.',
    ],
  },
  {
    id: 'virtual-currency',
    title: 'Tokens are a virtual currency',
    body: [
      `Tokens exist only in this service. One token costs ${dollars(1)}. They are no money and bear no interest, cannot be sold or passed on to others, and can be spent for edits only.`,
      'Tokens that you buy do not expire. Those of a subscription expire one month after they came, those of the trial with the trial, and rewards one month after they came. Every wallet shows what expires when; what expires first is spent first.',
      'Spending purchased tokens needs a trial that runs or a subscription that is active. When you delete your account, tokens that are left are lost; unused ones that can still be withdrawn from can be given back before.',
    ],
  },
  {
    id: 'second-payment-service',
    title: 'Authorising future payments by a second payment service',
    body: [
      'A second payment service, such as PayPal, may be offered beside the card provider. This server does not offer one today. If one is offered, and you authorise it for future payments, we store an identifier that ties your account here to your account there, so that later purchases and renewals need no new entry of payment details.',
      'You can revoke such an authorisation at any time, in your account with that service or by writing to us. What was paid before stays paid.',
    ],
  },
  {
    id: 'trial',
    title: 'Trial period, and what follows it',
    body: [
      `A new account gets ${tokens(WELCOME_TOKENS)} and may order for ${FREE_TRIAL_DAYS} days. The trial is given once to each person and each mailbox.`,
      'The trial asks for no payment details and ends by itself. It does not turn into a paid subscription unless you subscribe. If we ever offer a trial that is converted into a paid plan at its end, the page says so before you begin it, with the price and the date, and you can end it before that date without paying.',
    ],
  },
  {
    id: 'subscriptions',
    title: 'Subscriptions, and how they end',
    body: [
      `A subscription begins when its first payment arrives, and is open-ended: it is renewed each month and ${MONTHLY_PRICE} are charged each time, until you or we end it.`,
      `You can end it at any time, without a reason, on the page My Subscriptions or by a clear notice to the address at the end of this page. The termination takes effect ${TERMINATION_NOTICE_DAYS} day after we have your notice, and nothing is charged for a later month. What is paid already stays usable until the end of the month that you paid for.`,
      'When a payment fails, the provider tries it again for some days; without success the subscription ends. We may end a subscription with a notice of a month, and give back what was paid for time after its end.',
    ],
  },
]

const RIGHTS: readonly LegalSection[] = [
  {
    id: 'withdrawal',
    title: 'Right of withdrawal',
    body: [
      `Consumers in the European Union and in the United Kingdom can withdraw from a purchase within ${WITHDRAWAL_DAYS} days after it, without a reason. We give this right to all customers, wherever they live.`,
      'To withdraw, use the button Give Tokens Back under Payments, or send us a clear statement, for example:',
      [
        '"I hereby withdraw from my contract for the purchase of tokens. Bought on: … My e-mail address in the service: … Date: …"',
      ],
      `The statement is in time when you send it before the period ends. We give back what you paid for the tokens that you have not used, within ${REFUND_DAYS} days after we have the statement, by the way you paid, and without a fee. A subscription that the payment was for ends with it.`,
      'Tokens that you have spent are used: by ordering an edit you ask us to begin at once, and accept that you lose the right of withdrawal for that edit when it is made.',
      'Brazil: the right of regret of article 49 of the consumer code is stated as not applicable to edits that are made and delivered at once at your request. The rule above, which gives unused tokens back, holds for you as well.',
    ],
  },
  {
    id: 'guarantees',
    title: 'Guarantees',
    body: [
      `European Union: for digital services and content the law guarantees conformity; we are liable for a lack of conformity that shows within ${EU_CONFORMITY_YEARS} years after the supply, or at any time during a continuous supply. You can ask us to bring an edit into conformity, to lower its price, or to end the contract.`,
      `Brazil: the legal guarantee lasts ${BRAZIL_GUARANTEE_DAYS} days for services that are not durable and ${BRAZIL_DURABLE_GUARANTEE_DAYS} days for durable ones, from the delivery, and for hidden defects from their discovery.`,
      'United Kingdom: digital content must be of satisfactory quality, fit for its purpose and as described. Elsewhere the guarantees of your law hold.',
      'Beyond these guarantees the service is offered as it is. We do not promise that it never stops, that every file can be edited, or that an edit sells.',
    ],
  },
  {
    id: 'liability',
    title: 'Liability and indemnity',
    body: [
      `As far as the law allows, we are liable for damage from the service only up to what you paid us in the ${LIABILITY_CAP_MONTHS} months before the event, and not for lost profit or lost data that you could have kept a copy of. Keep your original videos: the service is no backup.`,
      'This does not limit liability for intent and gross negligence, for injury to life, body or health, for fraud, or where a law that protects consumers forbids a limit.',
      `If others make claims against us because of a video that you uploaded or because you broke these terms, you indemnify us for the costs. This duty does not hold for consumers where the law forbids it, and it outlives this contract by ${INDEMNITY_YEARS} years.`,
    ],
  },
]

const THE_END: readonly LegalSection[] = [
  {
    id: 'changes',
    title: 'Changes of these terms',
    body: [
      'We may change these terms for the future, for example when the service or the law changes. We tell you by e-mail before a change that matters takes effect. Who does not agree can end the contract; what was paid for time after the end comes back.',
    ],
  },
  {
    id: 'law',
    title: 'Law and courts',
    body: [
      'The law of the Province of Ontario and the federal law of Canada that applies there govern this contract, and the courts of Toronto decide. Consumers keep the protection of the law of the country they live in, and can go to the courts there.',
      'If a part of these terms does not hold, the rest does.',
    ],
  },
  {
    id: 'complaints',
    title: 'Complaints and contact',
    body: [
      `Write to ${SUPPORT}. We answer a complaint within ${COMPLAINT_REPLY_DAYS} days. If we cannot solve it by then, the answer says what happens next and when.`,
      'Onecut, Toronto, Canada',
    ],
  },
]

/** All topics of the terms, in reading order. */
export const TERMS_OF_USE: readonly LegalSection[] = [
  ...THE_SERVICE,
  ...BUYING,
  ...RIGHTS,
  ...THE_END,
]
