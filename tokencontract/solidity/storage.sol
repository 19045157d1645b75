// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;
pragma abicoder v1; // dirty high bits in arguments are masked, not rejected, as in the real token

/// @notice The token's storage, one variable per slot in the order of the real token, and its events.
/// @dev Recipes that fund accounts by writing storage (`keccak256(abi.encode(account, 9))`) rely on these slots.
abstract contract TokenStorage {
    address public owner; // slot 0
    address public pauser; // slot 1, shared with paused
    bool public paused;
    address public blacklister; // slot 2
    mapping(address account => bool) internal formerBlacklist; // slot 3: blacklist of the token's first versions
    string public name; // slot 4
    string public symbol; // slot 5
    uint8 public decimals; // slot 6
    string public currency; // slot 7
    address public masterMinter; // slot 8, shared with initialized
    bool internal initialized;
    mapping(address account => uint256) internal balanceWords; // slot 9: bit 255 blacklisted, low 255 bits the balance
    mapping(address owner => mapping(address spender => uint256)) public allowance; // slot 10
    uint256 public totalSupply; // slot 11
    mapping(address account => bool) public isMinter; // slot 12
    mapping(address minter => uint256) public minterAllowance; // slot 13
    address public rescuer; // slot 14
    bytes32 internal cachedDomainSeparator; // slot 15: written once, never read
    mapping(address authorizer => mapping(bytes32 nonce => bool)) public authorizationState; // slot 16
    mapping(address owner => uint256) public nonces; // slot 17
    uint8 internal initializedVersion; // slot 18

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);
    event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce);
    event AuthorizationCanceled(address indexed authorizer, bytes32 indexed nonce);
    event Mint(address indexed minter, address indexed to, uint256 amount);
    event Burn(address indexed burner, uint256 amount);
    event MinterConfigured(address indexed minter, uint256 minterAllowedAmount);
    event MinterRemoved(address indexed oldMinter);
    event MasterMinterChanged(address indexed newMasterMinter);
    event Blacklisted(address indexed account);
    event UnBlacklisted(address indexed account);
    event BlacklisterChanged(address indexed newBlacklister);
    event Pause();
    event Unpause();
    event PauserChanged(address indexed newAddress);
    event OwnershipTransferred(address previousOwner, address newOwner);
    event RescuerChanged(address indexed newRescuer);
}
