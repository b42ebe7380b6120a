exports.handler = async () => 'found';
