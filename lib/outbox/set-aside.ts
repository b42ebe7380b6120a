/** Age in hours at which a failing event is dead-lettered: an operator has to find the reason. */
export const SET_ASIDE_AFTER_HOURS = 24;
