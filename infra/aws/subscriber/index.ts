export { ForwardedEvents, type ForwardedEventsProps } from './forwarded-events.ts';
export { UserCancelSubscription, type UserCancelSubscriptionProps } from './user-cancel-subscription.ts';
