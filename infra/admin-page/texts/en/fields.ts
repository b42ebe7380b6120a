/** The fields that people fill in about an account. */
export const fields = {
  username: 'Username',
  user_first_name: { label: 'First name', hint: '' },
  user_last_name: { label: 'Last name', hint: '' },
  phonenumber: { label: 'Phone', hint: '' },
  user_short: { label: 'Initials', hint: '' },
  user_color: { label: 'Colour', hint: 'Such as #1A2B3C' },
  user_currency: { label: 'Currency', hint: 'Such as EUR' },
  user_properties: {
    label: 'Custom properties',
    hint: 'JSON of applications, such as {"root": {"theme": "dark"}}',
  },
};
